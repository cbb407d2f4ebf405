import { z } from "zod";
import { EXAMPLES, fullName, id, openedValues, password } from "~/http/fields";
import { missingWhenBlank, passwordsMatch, roleFlags, strongPassword } from "../schema";
import { EDITED_USER, staffPhone, USER } from "./user";

export const USER_SORTS = ["name", "email", "phoneNumber", "role", "isUser", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Checkboxes of the user form; one that is not sent is off. */
const CHECKBOXES = ["isSeller", "isManager", "isAdmin", "isUser"] as const;

/** Error messages of the screen's form actions. */
export const USER_FAILURES = {
  createUser: "Failed to create user",
  updateUser: "Failed to update user",
  deleteUser: "Failed to delete user",
} as const;

export const RoleFlagsInput = z.looseObject({
  id,
  // A form that was opened before a deployment may lack the newest role.
  was: openedValues(z.object({ ...EDITED_USER.answers, isSeller: z.boolean().default(false) })),
  boxes: z
    .string()
    .default("")
    .transform((text) => CHECKBOXES.filter((name) => text.split(" ").includes(name))),
});

/** Beginning of the id of the dialog that revokes an invitation. */
export const REVOKE_DIALOG = "revoke-";

/** Roles to which a colleague is invited, the least first. */
export const INVITED_ROLES = ["seller", "manager", "admin"] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

export const ROLE_LABELS: Record<InvitedRole, string> = {
  seller: "Seller",
  manager: "Manager",
  admin: "Admin",
};

const CHOOSE_ROLE = "Choose a role";
const roles = z
  .preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z
      .array(z.enum(INVITED_ROLES, CHOOSE_ROLE), { error: CHOOSE_ROLE })
      .min(1, CHOOSE_ROLE)
      .max(INVITED_ROLES.length, CHOOSE_ROLE),
  )
  .meta({ examples: [["seller"]] });

const MISMATCH = "Passwords do not match.";

const { firstName, lastName, isUser: _, ...contact } = USER.rules;
const newUserFields = { ...contact, password: strongPassword, confirmPassword: password(MISMATCH) };

/** POST user: an account created by staff; `fullName` is split at its first space. */
export const NewUserInput = z
  .object({ fullName: fullName("First and last name are required"), ...newUserFields })
  .and(passwordsMatch("password", MISMATCH));

/** POST user/invite, and the form of the page. */
export const InvitationInput = z.object({ email: contact.email, firstName, lastName, roles });

export const NewUserForm = z
  .object({ firstName, lastName, ...newUserFields })
  .and(passwordsMatch("password", MISMATCH));

/** Rules of an account whose phone number may stay. */
const changes = (storedPhone: string) => ({
  firstName,
  lastName,
  phoneNumber: staffPhone(storedPhone),
});

/** Form that edits an account; the e-mail address is not editable. @param storedPhone may stay */
export const editUserForm = (storedPhone: string) => z.object({ ...changes(storedPhone), ...roleFlags });

/** PUT user/{id} by staff; missing fields and a blank password stay unchanged. @param storedPhone may stay */
export const staffChangesInput = (storedPhone: string) =>
  z
    .object({
      ...z.object({ email: contact.email, ...changes(storedPhone) }).partial().shape,
      ...roleFlags,
      password: missingWhenBlank(strongPassword),
      confirmPassword: missingWhenBlank(
        z.string({ error: "Must be text" }).meta({ examples: [EXAMPLES.password] }),
      ),
    })
    .and(passwordsMatch("password", MISMATCH, false));

type Role = "isAdmin" | "isManager" | "isSeller";

/** Names the highest role of a user (docs/product.md, 1). */
export function roleName({ isAdmin, isManager, isSeller }: Record<Role, boolean>): string {
  if (isAdmin) return "Admin";
  return isManager ? "Manager" : isSeller ? "Seller" : "User";
}

/** Beginning of the name of the dialog that resets a colleague's second factor; their id follows. */
export const FACTOR_DIALOG = "factor.";
