import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { composeMail, type Mail } from "~/http/mail.server";
import { refusalOf } from "~/http/mail-refusals.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";

/**
 * Sends a test mail. Never rejects.
 *
 * @returns why the platform refused it; null for a mail that it accepted
 */
export async function mailTest(env: Env, to: string): Promise<string | null> {
  try {
    const settings = await settingsForTask(env);
    await deliverMail(env, settings, testMail(settings, to));
    return null;
  } catch (error) {
    await recordFailure(env, { kind: "mail", place: "Test mail" }, error);
    return refusalOf(error);
  }
}

function testMail(settings: ShopSettings, to: string): Mail {
  return composeMail(settings, {
    to,
    subject: `Test mail from ${settings.name}`,
    before: [`${settings.name} can send mails to this address. Nothing else needs to be done.`],
    button: { label: "Open Health", href: `${settings.url}/admin/health` },
    after: [],
  });
}
