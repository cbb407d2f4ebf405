import type { customers } from "~/db/schema";
import { EXAMPLES, email, optional, optionalPhone } from "~/http/fields";
import { textField } from "~/records/fields";
import { type FieldsOf, type RowOf, recordOf } from "~/records/record";

export const MAX_CUSTOMER_NAME = 101;
/** Characters of the notes on a customer. */
export const MAX_NOTES_LENGTH = 5000;

/** Fields of a customer; the audit log holds none of them, since they are a person's data. */
export const CUSTOMER = recordOf({
  name: textField({
    label: "Name",
    max: MAX_CUSTOMER_NAME,
    required: "Name is required",
    audit: "fact",
    example: EXAMPLES.fullName,
  }),
  email: textField({
    label: "Email",
    isMarkedOptional: true,
    rule: optional(email()).transform((text) => text ?? ""),
    input: { type: "email", autoCapitalize: "none", spellCheck: false },
    audit: "fact",
    example: EXAMPLES.email,
  }),
  phoneNumber: textField({
    label: "Phone",
    isMarkedOptional: true,
    rule: optionalPhone(),
    input: { type: "tel" },
    audit: "fact",
    example: EXAMPLES.phone,
  }),
  notes: textField({ label: "Notes", max: MAX_NOTES_LENGTH, input: { rows: 4 }, audit: "fact" }),
} satisfies FieldsOf<
  typeof customers,
  | "row"
  | "id"
  | "nameKey"
  | "emailKey"
  | "userId"
  | "sales"
  | "totalCents"
  | "chats"
  | "lastSeen"
  | "requestHash"
  | "createdAt"
  | "updatedAt"
  | "credits"
  | "creditsCents"
  | "holds"
  | "quotes"
  | "heldUntil"
  | "quotedUntil"
  | "sortKey"
>);

export type CustomerContent = RowOf<typeof CUSTOMER.fields>;
