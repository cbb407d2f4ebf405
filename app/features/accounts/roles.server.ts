import { type CurrentUser, isStaff } from "~/session/caller.server";

/** Account with its roles, by which it may change others and be changed (docs/product.md, 1). */
export type AccountRoles = Pick<CurrentUser, "id" | "isAdmin" | "isManager" | "isUser">;
type RoleFlags = Partial<Record<"isAdmin" | "isManager" | "isUser", boolean | undefined>>;

/** Permits editing and resetting: everyone their own account, managers those of customers, admins all. */
export function mayManage(actor: AccountRoles, target: AccountRoles): boolean {
  return actor.id === target.id || actor.isAdmin || (actor.isManager && !isStaff(target));
}

/**
 * Permits setting flags on an account that the actor may manage; unchanged flags do not count. Admins give and take
 * roles, managers deactivate and reactivate customers. Nobody removes their own admin flag or deactivates themselves.
 */
export function maySetFlags(actor: AccountRoles, target: AccountRoles, flags: RoleFlags): boolean {
  if (!mayManage(actor, target)) return false;
  const changes = (name: keyof RoleFlags) => flags[name] !== undefined && flags[name] !== target[name];
  const isOwn = actor.id === target.id;
  if (isOwn && (changes("isAdmin") || changes("isUser"))) return false;
  return actor.isAdmin || !(changes("isAdmin") || changes("isManager"));
}

/** Permits deleting: never an admin or the own account, and by managers only customers. */
export function mayDelete(actor: AccountRoles, target: AccountRoles): boolean {
  return !target.isAdmin && actor.id !== target.id && mayManage(actor, target);
}
