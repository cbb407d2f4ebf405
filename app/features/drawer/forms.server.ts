import { dollars } from "~/domain/money";
import { drawerUrl } from "~/features/sales/urls";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { namedFields } from "~/http/form-fields";
import { operation } from "~/http/operation.server";
import { storeCount, storeOpening, storeReopening } from "./operations.server";
import { CountForm, OpeningForm, PIECES_FIELDS, ReopeningInput } from "./schema";

/** Opens a drawer from the form, whose amount may be typed with separators. @throws AppError as `openDrawer` */
const openByForm = operation({
  access: "staff",
  input: OpeningForm,
  run: async ({ input, ...context }) => storeOpening(context, input),
});

/** Closes a drawer from the form, whose amounts may be typed with separators. @throws AppError as `closeDrawerByCount` */
const closeByForm = operation({
  access: "staff",
  input: CountForm,
  form: namedFields(PIECES_FIELDS),
  run: async ({ input, ...context }) => storeCount(context, input),
});

/** Opens today's drawer again from the form. @throws AppError as `reopenDrawerOfToday` */
const reopenByForm = operation({
  access: "manager",
  input: ReopeningInput,
  run: async ({ input, ...context }) => storeReopening(context, input),
});

/** Intents of the drawer's page. */
export const DRAWER_FORMS: FormIntents = {
  open: intent(openByForm, {
    done: ({ businessType }) => ({ to: drawerUrl(businessType), toast: "Drawer opened" }),
    failed: failureMessage(""),
  }),
  close: intent(closeByForm, {
    done: ({ businessType, day, countedCents, expectedCents }) => ({
      to: drawerUrl(businessType, day),
      toast: closedText((countedCents ?? 0) - (expectedCents ?? 0)),
    }),
    failed: failureMessage(""),
  }),
  reopen: intent(reopenByForm, {
    done: ({ businessType }) => ({ to: drawerUrl(businessType), toast: "Drawer opened again" }),
    failed: failureMessage(""),
  }),
};

const closedText = (cents: number): string =>
  cents === 0 ? "Drawer closed, without a difference" : `Drawer closed, difference ${dollars(cents)}`;
