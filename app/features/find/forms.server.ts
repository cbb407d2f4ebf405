import { z } from "zod";
import { localTo } from "~/domain/local-to";
import { updateSettings } from "~/features/chat/operations/settings.server";
import { flag } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import { FIND_PATH } from "./hits";

/** Switches the chat's status. @throws AppError as `updateSettings` */
const switchPresence = operation({
  access: "manager",
  input: z.object({ isOnline: flag }),
  run: async ({ input: { isOnline }, ...context }) => updateSettings.execute(context, { isOnline }),
});

/** Acts that are done from the search; they lead back to the page on which it was opened. */
export const FIND_FORMS: FormIntents = {
  presence: intent(switchPresence, {
    done: ({ isOnline }, { redirectTo }) => ({
      to: localTo(redirectTo, FIND_PATH),
      toast: isOnline ? "The chat is online" : "The chat is offline",
    }),
  }),
};
