import { searchForm, sortKey } from "~/db/text";
import { fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { isEmailTaken, type UserRow } from "./queries.server";

/**
 * Builds the row of a new account.
 *
 * @param person username and role flags are optional
 * @param now epoch seconds
 */
export function newUser(
  person: Pick<UserRow, "firstName" | "lastName" | "email" | "phoneNumber"> & {
    username?: string | undefined;
    isAdmin?: boolean;
    isManager?: boolean;
    isSeller?: boolean;
  },
  passwordHash: string,
  now: number,
): UserRow {
  const name = `${person.firstName} ${person.lastName}`;
  return {
    id: crypto.randomUUID(),
    email: person.email,
    emailKey: emailKey(person.email),
    firstName: person.firstName,
    lastName: person.lastName,
    username: person.username ?? "",
    phoneNumber: person.phoneNumber,
    photoUrl: "",
    passwordHash,
    isAdmin: person.isAdmin ?? false,
    isManager: person.isManager ?? false,
    isSeller: person.isSeller ?? false,
    isUser: true,
    createdAt: now,
    updatedAt: now,
    sortKey: sortKey(name),
    searchName: searchForm(name),
  };
}

export const emailTaken = () => fieldError("conflict", "email", "An account with this email already exists");

/**
 * Converts a unique constraint error on the e-mail address to an AppError.
 *
 * @throws AppError conflict (409) at `email`
 */
export async function rejectTakenEmail<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isEmailTaken(error) ? emailTaken() : error;
  }
}
