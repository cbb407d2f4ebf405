import { EmptyInput } from "~/features/chat/schema";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import { saveSettings } from "../operations.server";

const closeFirstRun = operation({
  access: "admin",
  input: EmptyInput,
  run: (context) => saveSettings(context, { isSetUp: true }),
});

/** Intent that closes the list for everybody. @param to page that shows it */
export const firstRunForms = (to: string): FormIntents => ({
  closeFirstRun: intent(closeFirstRun, { done: () => ({ to, toast: "The list is closed" }) }),
});
