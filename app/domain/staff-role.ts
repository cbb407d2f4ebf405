/** Highest role of a member of staff. */
export type StaffRole = "admin" | "manager" | "seller";
