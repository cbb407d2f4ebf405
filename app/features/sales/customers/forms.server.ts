import { z } from "zod";
import { formatUntil } from "~/domain/hold-end";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { id, openedValues } from "~/http/fields";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { extendByForm, releaseByForm } from "../holds-and-quotes/forms.server";
import {
  addCustomer,
  changeCustomer,
  mergeCustomer,
  requireChangeable,
} from "../operations/customers.server";
import { CustomerFields, MergeFields, requestId } from "../schema";
import { customerPath } from "../urls";

/** Values that the edit form was opened with, as they were stored. */
const OpenedFields = z.partialRecord(CustomerFields.keyof(), z.string());

/** Adds a customer from the form, whose `customerId` is an idempotency key. @throws AppError as `addCustomer` */
const addByForm = operation({
  access: "staff",
  input: CustomerFields.extend({ customerId: requestId }),
  run: async ({ input: { customerId, ...fields }, ...context }) =>
    addCustomer.execute(context, { ...fields, id: customerId }),
});

/**
 * Changes a customer from the edit form or the notes, which send the values that they were opened with.
 *
 * @throws AppError notFound; conflict after the customer's data were deleted, and with the stored value at each field that
 * somebody else has changed
 */
const changeByForm = operation({
  access: "staff",
  input: CustomerFields.partial().extend({ id, was: openedValues(OpenedFields) }),
  async run({ input: { was, ...changes }, ...context }) {
    const stored = await requireChangeable(context.db, changes.id);
    if (was) rejectStaleEdit("this customer", was, stored, changes);
    return changeCustomer.execute(context, changes);
  },
});

/** Merges another customer into the one of the page; the form sends a side for each field. */
const mergeByForm = operation({
  access: "staff",
  input: MergeFields.extend({ id, other: id }),
  run: async ({ input: { id: keptId, other: mergedId, ...fields }, ...context }) =>
    mergeCustomer.execute(context, { customerId: keptId, id: mergedId, fields }),
});

/** Actions of the list of customers. */
export const CUSTOMER_LIST_FORMS: FormIntents = {
  add: intent(addByForm, {
    done: ({ id: added, name }) => ({ to: customerPath(added), toast: `${name} added` }),
    failed: failureMessage("Not added. "),
  }),
};

/** Actions of a customer's page. @param url of the form */
export function customerPageForms(
  url: string,
  context: Pick<RequestContext, "db" | "env" | "now">,
): FormIntents {
  const to = withoutDialog(url);
  const saved = (toast: string) => ({ done: () => ({ to, toast }) });
  return {
    change: intent(changeByForm, saved("Customer saved")),
    merge: intent(mergeByForm, {
      done: ({ id: kept, name }) => ({ to: customerPath(kept), toast: `Merged into ${name}` }),
      failed: ({ message }) => `Not merged. ${message}`,
    }),
    extend: intent(extendByForm, {
      done: async ({ until }) => ({
        to,
        toast: `Set aside until ${formatUntil(until.seconds, context.now, await shopSettings(context))}`,
      }),
    }),
    release: intent(releaseByForm, saved("Hold released")),
  };
}
