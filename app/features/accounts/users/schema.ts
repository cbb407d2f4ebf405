import { z } from "zod";
import { flag, id, openedValues, wholeNumber } from "~/http/fields";

/** What the users' screen is asked for; the rules of accounts themselves are in ../schema. */

/** The columns of the users' screen that it can be sorted by. */
export const USER_SORTS = ["name", "email", "phoneNumber", "role", "isUser", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** One page of the users' screen. */
export const UserPageInput = z.object({
  q: z.string(),
  sort: z.enum(USER_SORTS),
  dir: z.enum(["asc", "desc"]),
  page: wholeNumber(1, 1_000_000),
  size: wholeNumber(1, 1000),
});

/** The names of a form's checkboxes: one that was not sent is off. */
const BOXES = ["isManager", "isAdmin", "isUser"] as const;
const text = z.string();
const DisplayedUser = z.object({
  firstName: text,
  lastName: text,
  phoneNumber: text,
  isManager: flag,
  isAdmin: flag,
  isUser: flag,
});
/** What the form that edits somebody shows of them. */
export type DisplayedUser = z.infer<typeof DisplayedUser>;

export const RoleFlagsInput = z.looseObject({
  id,
  was: openedValues(DisplayedUser),
  boxes: z
    .string()
    .default("")
    .transform((text) => BOXES.filter((name) => text.split(" ").includes(name))),
});
