import { z } from "zod";
import { flag, id, openedValues } from "~/http/fields";

export const USER_SORTS = ["name", "email", "phoneNumber", "role", "isUser", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Checkboxes of the user form; one that is not sent is off. */
const CHECKBOXES = ["isManager", "isAdmin", "isUser"] as const;
const text = z.string();
const DisplayedUser = z.object({
  firstName: text,
  lastName: text,
  phoneNumber: text,
  isManager: flag,
  isAdmin: flag,
  isUser: flag,
});
/** Values of a user as the edit form displays them. */
export type DisplayedUser = z.infer<typeof DisplayedUser>;

/** Error messages of the screen's form actions. */
export const USER_FAILURES = {
  createUser: "Failed to create user",
  updateUser: "Failed to update user",
  deleteUser: "Failed to delete user",
} as const;

export const RoleFlagsInput = z.looseObject({
  id,
  was: openedValues(DisplayedUser),
  boxes: z
    .string()
    .default("")
    .transform((text) => CHECKBOXES.filter((name) => text.split(" ").includes(name))),
});

/** Names the highest role of a user (docs/product.md, 1). */
export function roleName({ isAdmin, isManager }: { isAdmin: boolean; isManager: boolean }): string {
  return isAdmin ? "Admin" : isManager ? "Manager" : "User";
}
