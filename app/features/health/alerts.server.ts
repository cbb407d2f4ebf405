import { epochSeconds } from "~/domain/durations";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordDb, recordFailure } from "~/features/incidents/operations.server";
import { notifyStaff } from "~/features/push/operations.server";
import { findMailedStaff } from "~/features/push/queries.server";
import { composeMail, type Mail } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { findProblems, type Problem } from "./problems.server";
import { findAdminEmails, forgetAlerts, noteAlerts, readTold } from "./queries.server";

/**
 * Mails new problems of the installation to the active admins, or to SUPPORT_EMAIL without any. Each is told once until
 * it is over; one that reached nobody is told again.
 *
 * @param now epoch seconds
 */
export async function tellProblems(env: Env, now = epochSeconds()): Promise<void> {
  const db = recordDb(env);
  const told = await readTold(db);
  const problems = await findProblems(db, now, told);
  const open = problems.map(({ problem }) => problem);
  await forgetAlerts(
    db,
    told.filter((problem) => !open.includes(problem)),
  );
  const untold = open.filter((problem) => !told.includes(problem));
  if (untold.length === 0) return;
  // Noted before the mails, so that of two runs one tells them.
  const noted = await noteAlerts(db, untold, now);
  const news = problems.filter(({ problem }) => noted.includes(problem));
  if (news.length > 0 && !(await mailOwners(env, news))) await forgetAlerts(db, noted);
}

/** Characters of a notification that people can read. */
const MAX_NOTICE = 200;

/** Tells problems by notifications, and by mail those who want mails. @returns false when nobody was reached */
async function mailOwners(env: Env, problems: Problem[]): Promise<boolean> {
  const settings = await settingsForTask(env);
  const db = recordDb(env);
  const [admins, mailed] = await Promise.all([findAdminEmails(db), findMailedStaff(db, "night")]);
  const notified = await notifyStaff(env, "night", null, () => ({
    type: "message",
    tag: "problems",
    title: `${settings.name} needs attention`,
    body: problems
      .map(({ message }) => `${message}.`)
      .join(" ")
      .slice(0, MAX_NOTICE)
      .toWellFormed(),
    url: "/admin/health",
  })).catch(async (error: unknown) => {
    await recordFailure(env, { kind: "push", place: "Problem of the installation" }, error);
    return 0;
  });
  const addresses = admins.length > 0 ? mailed.map(({ email }) => email) : [settings.supportEmail];
  if (addresses.length === 0) return true;
  const results = await Promise.allSettled(
    addresses.map((to) => deliverMail(env, settings, problemMail(settings, to, problems))),
  );
  const refused = results.filter((result) => result.status === "rejected");
  for (const { reason } of refused)
    await recordFailure(env, { kind: "mail", place: "Problem of the installation" }, reason);
  return notified > 0 || refused.length < addresses.length;
}

function problemMail(settings: ShopSettings, to: string, problems: Problem[]): Mail {
  return composeMail(settings, {
    to,
    subject: `${settings.name} needs attention`,
    before: [{ list: problems.map(({ message }) => `${message}.`) }],
    button: { label: "Open Health", href: `${settings.url}/admin/health` },
    after: [],
  });
}
