import type { CurrentUser } from "~/session/current-user";

/** Who may do what to whom (contract: Settled, Managers). */

type Person = Pick<CurrentUser, "id" | "isAdmin" | "isManager" | "isUser">;
export type RoleFlags = Partial<Record<"isAdmin" | "isManager" | "isUser", boolean | undefined>>;

const isStaff = (person: Person) => person.isAdmin || person.isManager;

/** Whether somebody may edit, reset or delete an account: their own, admins everyone's, managers customers'. */
export function mayManage(actor: Person, target: Person): boolean {
  return actor.id === target.id || actor.isAdmin || (actor.isManager && !isStaff(target));
}

/**
 * Whether flags may be set on an account. Those that are as they already are don't count.
 * Only admins give and take roles; managers switch customers off and on; nobody removes their own admin
 * flag or deactivates themselves.
 */
export function maySetFlags(actor: Person, target: Person, flags: RoleFlags): boolean {
  const changes = (name: keyof RoleFlags) => flags[name] !== undefined && flags[name] !== target[name];
  const own = actor.id === target.id;
  if (own && (changes("isAdmin") || changes("isUser"))) return false;
  if (changes("isUser") && !isStaff(actor)) return false;
  return actor.isAdmin || !(changes("isAdmin") || changes("isManager"));
}

/** Whether somebody may delete an account: no admin's, not their own, and managers no manager's. */
export function mayDelete(actor: Person, target: Person): boolean {
  return !target.isAdmin && actor.id !== target.id && mayManage(actor, target);
}
