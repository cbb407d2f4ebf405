import { AppError, validationError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { formatDate } from "~/ui/dates";
import { personalArchive } from "./archive.server";
import { keep, plan } from "./operations.server";
import { findPerson, findPlanned, type StoredPerson } from "./queries.server";
import { ConfirmedSubject, SubjectInput } from "./schema";

/** Data of the page that downloads and deletes a person's data on their behalf. */
export type PersonalDataPage = ResultOf<typeof readPersonalDataPage>;

interface SubjectFields {
  customer?: string | undefined;
  chat?: string | undefined;
}

/** @throws AppError notFound */
async function requirePerson(
  { db }: Pick<RequestContext, "db">,
  { customer, chat }: SubjectFields,
): Promise<StoredPerson> {
  const person = await findPerson(db, { customerId: customer ?? null, chatId: chat ?? null });
  if (!person) throw new AppError("notFound", "Nothing is stored about this person");
  return person;
}

const subjectOf = (url: string): SubjectFields =>
  parseInput(SubjectInput, Object.fromEntries(new URL(url).searchParams));

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

/** Sends a person's data to an admin. @throws AppError notFound */
export const downloadPersonalData = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    return personalArchive(context, await requirePerson(context, subjectOf(input.url)), false);
  },
});

/**
 * Plans the deletion of a person's data, at their request.
 *
 * @throws AppError notFound; invalid without confirmation; conflict for the last admin
 */
const eraseForPerson = operation({
  access: "admin",
  input: ConfirmedSubject,
  async run({ input, ...context }) {
    const person = await requirePerson(context, input);
    if (person.isStaff)
      throw validationError([
        { path: "confirmed", message: "Members of staff delete their account under My Account" },
      ]);
    return plan(context, person, "staff");
  },
});

/** Cancels a planned deletion. @throws AppError notFound */
const keepForPerson = operation({
  access: "admin",
  input: SubjectInput,
  async run({ input, ...context }) {
    const person = await requirePerson(context, input);
    return keep(context.db, await findPlanned(context.db, person), context.now);
  },
});

/** Actions of the page. @param url of the form */
export function personalDataForms(url: string): Record<string, FormIntent<unknown>> {
  const done = (toast: string) => ({ done: () => ({ to: url, toast }) });
  return {
    erase: intent(eraseForPerson, done("The deletion is planned")),
    keep: intent(keepForPerson, done("The deletion is cancelled")),
  };
}
