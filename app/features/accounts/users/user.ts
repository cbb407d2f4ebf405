import type { users } from "~/db/schema";
import { EXAMPLES, email, MAX_NAME_LENGTH, optionalPhone } from "~/http/fields";
import { flagField, textField } from "~/records/fields";
import { type FieldsOf, type RowOf, recordOf } from "~/records/record";
import { nameFields } from "../schema";

const STAFF_PHONE = /^\+?[\d ()-]{7,20}$/;

/** Phone number that staff type. @param stored may stay */
export const staffPhone = (stored: string) =>
  optionalPhone().refine(
    (text) => text === "" || text === stored || STAFF_PHONE.test(text),
    "Enter a valid phone number.",
  );

/** Fields of an account, in the order of staff's form; the audit log holds of a person's data only that they changed. */
export const USER = recordOf({
  firstName: textField({
    label: "First name",
    max: MAX_NAME_LENGTH,
    rule: nameFields.firstName,
    audit: "fact",
    example: EXAMPLES.firstName,
  }),
  lastName: textField({
    label: "Last name",
    max: MAX_NAME_LENGTH,
    rule: nameFields.lastName,
    audit: "fact",
    example: EXAMPLES.lastName,
  }),
  email: textField({
    label: "Email",
    rule: email("Email is required", "Enter a valid email address."),
    input: { type: "email", spellCheck: false },
    audit: "fact",
    example: EXAMPLES.email,
  }),
  phoneNumber: textField({
    label: "Phone",
    isMarkedOptional: true,
    rule: staffPhone(""),
    input: { type: "tel" },
    audit: "fact",
    example: EXAMPLES.phone,
  }),
  isSeller: flagField({ label: "Seller" }),
  isManager: flagField({ label: "Manager" }),
  isAdmin: flagField({ label: "Admin" }),
  isUser: flagField({ label: "Active" }),
} satisfies FieldsOf<
  typeof users,
  | "id"
  | "emailKey"
  | "username"
  | "photoUrl"
  | "passwordHash"
  | "createdAt"
  | "updatedAt"
  | "sortKey"
  | "searchName"
>);

const { email: _, ...edited } = USER.fields;
/** Fields of an account that staff edit. */
export const EDITED_USER = recordOf(edited);

/** Values of a user as the edit form displays them. */
export type DisplayedUser = RowOf<typeof EDITED_USER.fields>;
