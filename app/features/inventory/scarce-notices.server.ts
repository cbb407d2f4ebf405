import { openDb } from "~/db/client.server";
import { grouped } from "~/domain/grouped";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { notifyStaff } from "~/features/push/operations.server";
import { findMailedStaff } from "~/features/push/queries.server";
import { composeMail, type Mail } from "~/http/mail.server";
import { isRecipientRefused } from "~/http/mail-refusals.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { findScarceNotices, findScarceUnits, removeScarceNotices } from "./scarce-notices.queries.server";

/** Units that one notification or mail names; the others are counted. */
const MAX_NAMED = 50;
/** Characters of a notification that people can read. */
const MAX_BODY = 200;
const LIST_PATH = "/admin/inventory-management?level=low";

/**
 * Tells staff who want it which units have become low since the last time, in one notification and one mail; again later when
 * all mails were refused for now and no notification arrived.
 */
export async function tellScarceUnits(env: Env): Promise<void> {
  const { db } = openDb(env.DB);
  const unitIds = await findScarceNotices(db);
  if (unitIds.length === 0) return;
  const units = await findScarceUnits(db, unitIds.slice(0, MAX_NAMED));
  const lines = units.map(({ name, stock }) =>
    stock === 0 ? `${name}: sold out` : `${name}: ${stock} left`,
  );
  const more = unitIds.length - MAX_NAMED;
  if (more > 0) lines.push(`and ${grouped(more)} more`);
  const notified = await notifyStaff(env, "lowStock", null, () => ({
    type: "message",
    tag: "low-stock",
    title: unitIds.length === 1 ? "Stock is low" : `Stock of ${grouped(unitIds.length)} products is low`,
    body: lines.join("; ").slice(0, MAX_BODY).toWellFormed(),
    url: LIST_PATH,
  }));
  const isMailed = await mailScarceUnits(env, lines);
  if (isMailed || notified > 0) await removeScarceNotices(db, unitIds);
}

/** Mails the staff who want it. @returns false when all mails were refused, and some may be taken later */
async function mailScarceUnits(env: Env, lines: string[]): Promise<boolean> {
  const settings = await settingsForTask(env);
  const people = await findMailedStaff(openDb(env.DB).db, "lowStock");
  let sent = 0;
  let postponed = 0;
  for (const { email } of people)
    try {
      await deliverMail(env, settings, scarceMail(settings, email, lines));
      sent++;
    } catch (error) {
      if (!isRecipientRefused(error)) postponed++;
      await recordFailure(env, { kind: "mail", place: "Low stock" }, error);
    }
  return sent > 0 || postponed === 0;
}

function scarceMail(settings: ShopSettings, to: string, lines: string[]): Mail {
  return composeMail(settings, {
    to,
    subject: `${settings.name}: stock is low`,
    before: [{ list: lines }],
    button: { label: "Open the inventory", href: `${settings.url}${LIST_PATH}` },
    after: [],
  });
}
