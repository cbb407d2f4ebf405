import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { composeMail, type MailBlock, salutation } from "~/http/mail.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";

/** Sends a password reset link as text and HTML. @param link absolute, built from SHOP_URL */
export async function sendResetMail(
  env: Env,
  to: { email: string; firstName: string },
  link: string,
): Promise<void> {
  const settings = await settingsForTask(env);
  const mail = composeMail(settings, {
    to: to.email,
    subject: `Reset your ${settings.name} password`,
    before: [
      salutation(to.firstName),
      `somebody, probably you, asked to reset your password at ${settings.name}.`,
    ],
    button: { label: "Choose a new password", href: link, isSpelledOut: true },
    after: [
      "The link works once, for one hour. If it wasn't you, you needn't do anything: your password stays as it is.",
    ],
  });
  await deliverMail(env, settings, mail);
}

/** Person who is invited to work in the shop. */
interface Invited {
  email: string;
  firstName: string;
  /** Role in a sentence: `seller`. */
  role: string;
  /** Name of who invites; may be empty. */
  by: string;
}

/** Sends the link by which a colleague chooses a password. @param link absolute, built from SHOP_URL */
export async function sendInvitation(
  env: Env,
  settings: ShopSettings,
  to: Invited,
  link: string,
): Promise<void> {
  const { name } = settings;
  const mail = composeMail(settings, {
    to: to.email,
    subject: `You are invited to work at ${name}`,
    before: [
      salutation(to.firstName),
      `${to.by || "The owner"} invites you to the back office of ${name} as ${article(to.role)} ${to.role}.`,
    ],
    button: { label: "Choose a password", href: link, isSpelledOut: true },
    after: ["The link works once, for 7 days. If you didn't expect it, you needn't do anything."],
  });
  await deliverMail(env, settings, mail);
}

const article = (role: string) => (role === "admin" ? "an" : "a");

/** Sentences of the mail that name the author of a change of address. */
const CHANGED_BY = {
  owner: "It was changed under My Account, with your password.",
  staff: "It was changed by our team.",
};

/**
 * Notifies an account's former address of its replacement, as text and HTML.
 *
 * @param before account before the change
 */
export async function sendEmailChangedMail(
  env: Env,
  before: { email: string; firstName: string },
  by: keyof typeof CHANGED_BY,
): Promise<void> {
  const settings = await settingsForTask(env);
  const { name, supportEmail } = settings;
  const subject = `Your ${name} email address was changed`;
  const change = `the email address of your account at ${name} is no longer ${before.email}.`;
  const consequence = `${CHANGED_BY[by]} Signing in and mails about the account now need the new address.`;
  const objection = `If you didn't want this, write to ${supportEmail} at once, and we will look into it.`;
  await sendNotice(env, before.email, subject, [
    salutation(before.firstName),
    change,
    consequence,
    objection,
  ]);
}

/** Reasons for which a person's API keys end, as the mail words them. */
const KEYS_ENDED = {
  reset: "because your password was reset",
  deactivated: "because your account was deactivated",
  demoted: "because you are no longer an admin or manager of the shop",
};
export type EndedKeysReason = keyof typeof KEYS_ENDED;

/** Mails a person the names of their API keys that have ended, after the response; without any nothing. */
export function notifyOfEndedKeys(
  { env, waitUntil }: Pick<RequestContext, "env" | "waitUntil">,
  to: { email: string; firstName: string },
  names: string[],
  reason: EndedKeysReason,
): void {
  if (names.length === 0) return;
  const failure = { kind: "mail", place: "Notice of ended API keys" } as const;
  waitUntil(
    tellEndedKeys(env, to, names, reason).catch((error: unknown) => recordFailure(env, failure, error)),
  );
}

async function tellEndedKeys(
  env: Env,
  to: { email: string; firstName: string },
  names: string[],
  reason: EndedKeysReason,
): Promise<void> {
  const { name, supportEmail } = await settingsForTask(env);
  await sendNotice(env, to.email, `Your API keys at ${name} have ended`, [
    salutation(to.firstName),
    `your API keys at ${name} have ended, ${KEYS_ENDED[reason]}:`,
    { list: names },
    "The programs that used them can no longer reach the shop.",
    `If you didn't expect this, write to ${supportEmail} at once, and we will look into it.`,
  ]);
}

/** Sentences of a mail about a second factor. */
const FACTOR_CHANGES = {
  turnedOff: ["was turned off", "It was turned off under My Account, with your password and a code."],
  reset: [
    "was reset",
    "An admin of the shop reset it and ended your sessions. Sign in with your password, and set it up again under My Account.",
  ],
  locked: [
    "refuses codes for an hour",
    "Somebody has given your password and 20 wrong codes. If it wasn't you, choose another password now.",
  ],
} as const;

/** Tells a member of staff what happened to their second factor. */
export async function sendFactorNotice(
  env: Env,
  to: { email: string; firstName: string },
  change: keyof typeof FACTOR_CHANGES,
): Promise<void> {
  const { name, supportEmail } = await settingsForTask(env);
  const [what, how] = FACTOR_CHANGES[change];
  await sendNotice(env, to.email, `Your second factor at ${name} ${what}`, [
    salutation(to.firstName),
    `your second factor at ${name} ${what}.`,
    how,
    `If you didn't expect this, write to ${supportEmail} at once, and we will look into it.`,
  ]);
}

/** Sends a notice about an account, which asks for no act unless its owner objects. */
async function sendNotice(env: Env, to: string, subject: string, before: MailBlock[]): Promise<void> {
  const settings = await settingsForTask(env);
  const href = `mailto:${settings.supportEmail}?subject=${encodeURIComponent(subject)}`;
  const mail = composeMail(settings, {
    ...{ to, subject, before },
    button: { label: "I didn't want this", href },
    after: ["If you wanted it, you needn't do anything."],
  });
  await deliverMail(env, settings, mail);
}
