import { z } from "zod";
import { id } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import { undoRun } from "./operations.server";
import { runPath } from "./runs";

/** Takes the run of the page back. @throws AppError as `undoRun` */
const undoByForm = operation({
  access: "staff",
  input: z.object({ id }),
  run: ({ input, ...context }) => undoRun.execute(context, { runId: input.id }),
});

/** Forms of the page that shows what an undo would do. */
export const undoForms: FormIntents = {
  undo: intent(undoByForm, {
    done: ({ runId, message }) => ({ to: runPath(runId ?? ""), toast: message }),
  }),
};
