import type { CurrentUser } from "~/session/caller.server";

/** Roles of a person, by which accounts may be changed (docs/product.md, 1). */
export type Person = Pick<CurrentUser, "id" | "isAdmin" | "isManager" | "isUser">;
type RoleFlags = Partial<Record<"isAdmin" | "isManager" | "isUser", boolean | undefined>>;

const isStaff = (person: Person) => person.isAdmin || person.isManager;

/** Permits editing and resetting: everyone their own account, managers those of customers, admins all. */
export function mayManage(actor: Person, target: Person): boolean {
  return actor.id === target.id || actor.isAdmin || (actor.isManager && !isStaff(target));
}

/**
 * Permits setting flags on an account; unchanged flags do not count. Admins give and take roles, managers deactivate
 * and reactivate customers. Nobody removes their own admin flag or deactivates themselves.
 */
export function maySetFlags(actor: Person, target: Person, flags: RoleFlags): boolean {
  const changes = (name: keyof RoleFlags) => flags[name] !== undefined && flags[name] !== target[name];
  const isOwn = actor.id === target.id;
  if (isOwn && (changes("isAdmin") || changes("isUser"))) return false;
  if (changes("isUser") && !isStaff(actor)) return false;
  return actor.isAdmin || !(changes("isAdmin") || changes("isManager"));
}

/** Permits deleting: never an admin or the own account, and by managers only customers. */
export function mayDelete(actor: Person, target: Person): boolean {
  return !target.isAdmin && actor.id !== target.id && mayManage(actor, target);
}
