import { z } from "zod";
import { passwordCheckLimit, requirePassword } from "~/features/accounts/operations/password.server";
import { customerPath } from "~/features/sales/urls";
import { AppError, validationError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { concurrentChange } from "~/http/refused-write.server";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import { formatDate, formatDateTime } from "~/ui/format";
import { personalArchive } from "./archive.server";
import { accountOf, cancelDeletion, planDeletion, planOfLink } from "./deletion.server";
import {
  findPlansFor,
  findSubject,
  keyOf,
  type NamedErasure,
  type PersonReference,
  readPerson,
  recordDownload,
  type Subject,
} from "./queries.server";
import {
  CancelInput,
  CancelLinkInput,
  ConfirmedSubject,
  DownloadInput,
  MAX_PLANS,
  PasswordForm,
  SubjectInput,
} from "./schema";

/** Lifetime of the link to a download, which follows the password at once. */
const DOWNLOAD_SECONDS = 5 * 60;

/** Checks the password before a download. @returns path of the file, for this account and five minutes */
export const requestDownload = operation({
  access: "customer",
  input: PasswordForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ env, now, user, caller, input }) {
    await requirePassword({ caller }, input.currentPassword);
    const key = await linkKey(env.COOKIE_SECRET, "data", user.id, now + DOWNLOAD_SECONDS);
    return `/account/data.zip?${new URLSearchParams({ key })}`;
  },
});

/** Sends the caller's data. @throws AppError forbidden for the link of another account or an old one */
export const downloadOwn = operation({
  access: "customer",
  input: DownloadInput,
  async run({ user, input, ...context }) {
    const { env, now } = context;
    if (!(await isLinkKey(env.COOKIE_SECRET, "data", user.id, input.key, now)))
      throw new AppError("forbidden", "This link has expired. Please enter your password again.");
    await recordDownload(context.db, accountOf(user.id));
    return personalArchive(context, accountOf(user.id), "owner");
  },
});

/**
 * Plans the deletion of the caller's account and mails a link that cancels it.
 *
 * @throws AppError invalid at `currentPassword`, rateLimited; conflict for the last admin
 */
export const planOwnDeletion = operation({
  access: "customer",
  input: PasswordForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ user, input, ...context }) {
    await requirePassword(context, input.currentPassword);
    const erasure = await planDeletion(context, accountOf(user.id), "owner");
    if (!erasure) throw personGone();
    return erasure;
  },
});

/** Cancels the planned deletion of the caller's account. */
export const cancelOwnDeletion = operation({
  access: "customer",
  input: z.object({}),
  run: async ({ db, user }) => cancelDeletion(db, accountOf(user.id)),
});

/** Cancels a deletion by its mailed link, without signing in. @throws AppError notFound for an invalid or used link */
export const cancelDeletionByLink = operation({
  access: "anyone",
  input: CancelLinkInput,
  async run({ input, ...context }) {
    const plan = await planOfLink(context, input.keep);
    if (plan === null) throw new AppError("notFound", "This link isn’t valid. Sign in to keep your account.");
    return cancelDeletion(context.db, plan);
  },
});

type SubjectFields = z.infer<typeof SubjectInput>;

const personGone = () => new AppError("notFound", "Nothing is stored about this person any more.");

const askedBy = ({ customer, chat }: SubjectFields): PersonReference => ({
  customerId: customer ?? null,
  chatId: chat ?? null,
});

/** Finds the person whom a page of staff is about. @throws AppError notFound */
async function requireSubject(
  { db }: Pick<RequestContext, "db">,
  fields: SubjectFields,
): Promise<Subject & { isStaff: boolean }> {
  const subject = await findSubject(db, askedBy(fields));
  if (!subject) throw personGone();
  return subject;
}

/** Reads the customer or the chat from the query of a page. */
const subjectOf = (url: string): SubjectFields =>
  parseInput(SubjectInput, Object.fromEntries(new URL(url).searchParams));

/** Sends a person's data to an admin. @throws AppError notFound */
export const downloadPersonalData = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    const subject = await requireSubject(context, subjectOf(input.url));
    await recordDownload(context.db, subject);
    return personalArchive(context, subject, "staff");
  },
});

/** Attempts to plan a deletion while a chat or an account is being linked to another customer. */
const MAX_ATTEMPTS = 3;

/**
 * Plans the deletion of a person's data, at their request.
 *
 * @throws AppError notFound; invalid without confirmation; conflict for the last admin, while others link the person, and
 * when the customer or chat is another person's than the page has shown
 */
const planDeletionForPerson = operation({
  access: "admin",
  input: ConfirmedSubject,
  async run({ input, ...context }) {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { isStaff, ...subject } = await requireSubject(context, input);
      if (keyOf(subject) !== input.person) throw isSomebodyElse(await readPerson(context.db, subject));
      if (isStaff)
        throw validationError([
          { path: "confirmed", message: "Members of staff delete their account under My Account" },
        ]);
      const erasure = await planDeletion(context, subject, "staff", askedBy(input));
      if (erasure) return erasure;
    }
    throw concurrentChange();
  },
});

const isSomebodyElse = ({ name }: { name: string }) =>
  new AppError(
    "conflict",
    `Nothing was deleted: this is ${name || "a visitor"} by now. Check once more who has asked for it.`,
  );

/** Cancels a planned deletion. @throws AppError notFound */
const cancelDeletionForPerson = operation({
  access: "admin",
  input: CancelInput,
  run: async ({ db, input }) => cancelDeletion(db, input.plan),
});

/** Data of the page that downloads and deletes a person's data on their behalf. */
export type PersonalData = ResultOf<typeof readPersonalDataPage>;

/** Reads the page of a customer (`customer`) or of a chat's visitor (`chat`). @throws AppError notFound */
export const readPersonalDataPage = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, settings } = context;
    const fields = subjectOf(input.url);
    const subject = await requireSubject(context, fields);
    const { customerId } = subject;
    // Those for which changes are refused, and of an account those of a single chat.
    const [{ isStaff, ...person }, plans] = await Promise.all([
      readPerson(db, subject),
      findPlansFor(db, subject, fields.chat ?? null, MAX_PLANS + 1),
    ]);
    const from = customerId
      ? { to: customerPath(customerId), title: person.name }
      : { to: `/admin/chat?${new URLSearchParams({ chat: fields.chat ?? "" })}`, title: "Support Chat" };
    return {
      heading: { title: "Personal data", trail: [from] },
      subject: fields,
      key: keyOf(subject),
      back: from.to,
      person: { ...person, hasAccount: person.hasAccount === 1, isCustomer: customerId !== null },
      isStaff: isStaff === 1,
      plans: plans.slice(0, MAX_PLANS).map((plan) => planView(plan, settings.timezone)),
      hasMorePlans: plans.length > MAX_PLANS,
    };
  },
});

function planView(plan: NamedErasure, timezone: string) {
  const { id, dueAt, begunAt, requestedAt, requestedBy, name, deletesPerson } = plan;
  return {
    id,
    subject: `${plan.userId ? "Account" : plan.customerId ? "Customer" : "Chat"}: ${name || "Deleted by now"}`,
    date: formatDate(dueAt, timezone),
    plannedAt: formatDateTime(requestedAt, timezone),
    isOwners: requestedBy === "owner",
    hasBegun: begunAt !== null,
    deletesOnlyChat: deletesPerson === 0,
  };
}

/** Actions of the page. @param url of the form */
export function personalDataForms(url: string): FormIntents {
  const done = (toast: string) => ({ done: () => ({ to: url, toast }) });
  return {
    erase: intent(planDeletionForPerson, done("The deletion is planned")),
    keep: intent(cancelDeletionForPerson, done("The deletion is cancelled")),
  };
}
