import { z } from "zod";
import { passwordCheckLimit, requirePassword } from "~/features/accounts/operations/password.server";
import { AppError, validationError } from "~/http/errors";
import { operation, parseInput } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey, linkKey } from "~/session/link-keys.server";
import { personalArchive } from "./archive.server";
import { accountOf, cancelDeletion, findByLink, planDeletion } from "./planned-deletion.server";
import { findPerson, findPlanned, type StoredPerson } from "./queries.server";
import { CancelLinkInput, ConfirmedSubject, DownloadInput, PasswordForm, SubjectInput } from "./schema";

/** Lifetime of the link to a download, which follows the password at once. */
const DOWNLOAD_SECONDS = 5 * 60;

/** Checks the password before a download. @returns path of the file, for this account and five minutes */
export const requestDownload = operation({
  access: "customer",
  input: PasswordForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ db, env, now, user, input }) {
    await requirePassword(db, user.id, input.currentPassword);
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
    await requirePassword(context.db, user.id, input.currentPassword);
    return planDeletion(context, accountOf(user.id), "owner");
  },
});

/** Cancels the planned deletion of the caller's account. */
export const cancelOwnDeletion = operation({
  access: "customer",
  input: z.object({}),
  run: async ({ db, user, now }) => cancelDeletion(db, await findPlanned(db, accountOf(user.id)), now),
});

/** Cancels a deletion by its mailed link, without signing in. @throws AppError notFound for an invalid or used link */
export const cancelDeletionByLink = operation({
  access: "anyone",
  input: CancelLinkInput,
  async run({ input, ...context }) {
    return cancelDeletion(context.db, await findByLink(context, input.keep), context.now);
  },
});

interface SubjectFields {
  customer?: string | undefined;
  chat?: string | undefined;
}

/** Finds the person whom a page of staff is about. @throws AppError notFound */
export async function requirePerson(
  { db }: Pick<RequestContext, "db">,
  { customer, chat }: SubjectFields,
): Promise<StoredPerson> {
  const person = await findPerson(db, { customerId: customer ?? null, chatId: chat ?? null });
  if (!person) throw new AppError("notFound", "Nothing is stored about this person");
  return person;
}

/** Reads the customer or the chat from the query of a page. */
export const subjectOf = (url: string): SubjectFields =>
  parseInput(SubjectInput, Object.fromEntries(new URL(url).searchParams));

/** Sends a person's data to an admin. @throws AppError notFound */
export const downloadPersonalData = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    return personalArchive(context, await requirePerson(context, subjectOf(input.url)), "staff");
  },
});

/**
 * Plans the deletion of a person's data, at their request.
 *
 * @throws AppError notFound; invalid without confirmation; conflict for the last admin
 */
export const planDeletionForPerson = operation({
  access: "admin",
  input: ConfirmedSubject,
  async run({ input, ...context }) {
    const person = await requirePerson(context, input);
    if (person.isStaff)
      throw validationError([
        { path: "confirmed", message: "Members of staff delete their account under My Account" },
      ]);
    return planDeletion(context, person, "staff");
  },
});

/** Cancels a planned deletion. @throws AppError notFound */
export const cancelDeletionForPerson = operation({
  access: "admin",
  input: SubjectInput,
  async run({ input, ...context }) {
    const person = await requirePerson(context, input);
    return cancelDeletion(context.db, await findPlanned(context.db, person), context.now);
  },
});
