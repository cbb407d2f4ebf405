import { z } from "zod";
import { AppError } from "~/http/errors";
import { intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import { mailTest } from "./mail.server";

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
