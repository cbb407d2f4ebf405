import { z } from "zod";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { AppError } from "~/http/errors";
import { intent } from "~/http/form-action.server";
import { type Mail, mailLayout } from "~/http/mail.server";
import { refusalOf } from "~/http/mail-refusals.server";
import { operation } from "~/http/operation.server";
import { type ShopSettings, shopSettings } from "~/http/shop-settings.server";

/**
 * Sends a test mail. Never rejects.
 *
 * @returns why the platform refused it; null for a mail that it accepted
 */
export async function mailTest(env: Env, to: string): Promise<string | null> {
  try {
    await deliverMail(env, testMail(shopSettings(env), to));
    return null;
  } catch (error) {
    await recordFailure(env, { kind: "mail", place: "Test mail" }, error);
    return refusalOf(error);
  }
}

/**
 * Mails the calling admin.
 *
 * @returns their address
 * @throws AppError rateLimited; conflict with the reason when the platform refuses the mail
 */
const sendTestMail = operation({
  access: "admin",
  forbidsKeys: true,
  input: z.object({}),
  limits: ({ env, user }) => [{ limiter: env.LIMIT_FORGOT_ACCOUNT, key: `test-mail:${user.id}` }],
  async run({ env, user }) {
    const refusal = await mailTest(env, user.email);
    if (refusal !== null)
      throw new AppError("conflict", `The mail to ${user.email} was refused: ${refusal}.`);
    return user.email;
  },
});

export const HEALTH_FORMS = {
  "test-mail": intent(sendTestMail, {
    done: (email) => ({ toast: `The mail to ${email} was accepted. It should arrive within a minute.` }),
  }),
};

function testMail(settings: ShopSettings, to: string): Mail {
  const subject = `Test mail from ${settings.name}`;
  const sentence = `${settings.name} can send mails to this address. Nothing else needs to be done.`;
  const href = `${settings.url}/admin/health`;
  return {
    to,
    subject,
    text: `${sentence}\n\n${href}\n`,
    html: mailLayout(settings, subject, `<p>${sentence}</p>`, { label: "Open Health", href }, ""),
  };
}
