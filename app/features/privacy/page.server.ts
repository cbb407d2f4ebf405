import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { formatDate } from "~/ui/dates";
import {
  cancelDeletionForPerson,
  planDeletionForPerson,
  requirePerson,
  subjectOf,
} from "./operations.server";
import { findPlanned } from "./queries.server";

/** Data of the page that downloads and deletes a person's data on their behalf. */
export type PersonalData = ResultOf<typeof readPersonalDataPage>;

/** Reads the page of a customer (`customer`) or of a chat's visitor (`chat`). @throws AppError notFound */
export const readPersonalDataPage = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, settings } = context;
    const fields = subjectOf(input.url);
    const { userId, customerId, chatId, isStaff, ...person } = await requirePerson(context, fields);
    const planned = await findPlanned(db, { userId, customerId, chatId });
    const from = customerId
      ? { to: `/admin/customers/${encodeURIComponent(customerId)}`, title: person.name }
      : { to: `/admin/chat?${new URLSearchParams({ chat: fields.chat ?? "" })}`, title: "Support Chat" };
    return {
      heading: { title: "Personal data", trail: [from] },
      subject: fields,
      back: from.to,
      person: { ...person, hasAccount: userId !== null, isCustomer: customerId !== null },
      isStaff: isStaff === 1,
      planned: planned
        ? {
            date: formatDate(planned.dueAt, settings.timezone),
            isOwners: planned.requestedBy === "owner",
          }
        : null,
    };
  },
});

/** Actions of the page. @param url of the form */
export function personalDataForms(url: string): FormIntents {
  const done = (toast: string) => ({ done: () => ({ to: url, toast }) });
  return {
    erase: intent(planDeletionForPerson, done("The deletion is planned")),
    keep: intent(cancelDeletionForPerson, done("The deletion is cancelled")),
  };
}
