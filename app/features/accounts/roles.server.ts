import { type CurrentUser, isStaff } from "~/session/caller.server";

/** Roles of an account: they decide which accounts it may change, and who may change it (docs/product.md, 1). */
export type AccountRoles = Pick<CurrentUser, "id" | "isAdmin" | "isManager" | "isSeller" | "isUser">;
/** Flags that a request sets; `isUser` is that of an active account. A missing one stays. */
type RoleFlags = Partial<Record<"isAdmin" | "isManager" | "isSeller" | "isUser", boolean | undefined>>;

/** Permits editing an account and resetting its password: everyone their own, managers those of customers, admins all. */
export function mayManage(actor: AccountRoles, target: AccountRoles): boolean {
  return actor.id === target.id || actor.isAdmin || (actor.isManager && !isStaff(target));
}

/**
 * Permits changing flags of an account that the actor may manage; a flag that stays needs no permission. Admins give and
 * take roles, managers deactivate and reactivate customers. Nobody removes their own admin flag or deactivates themselves.
 */
export function maySetFlags(actor: AccountRoles, target: AccountRoles, flags: RoleFlags): boolean {
  if (!mayManage(actor, target)) return false;
  const changes = (name: keyof RoleFlags) => flags[name] !== undefined && flags[name] !== target[name];
  const isOwn = actor.id === target.id;
  if (isOwn && (changes("isAdmin") || changes("isUser"))) return false;
  return actor.isAdmin || !(changes("isAdmin") || changes("isManager") || changes("isSeller"));
}

/** Permits deleting an account: admins all others but admins', managers those of customers. */
export function mayDelete(actor: AccountRoles, target: AccountRoles): boolean {
  return !target.isAdmin && actor.id !== target.id && mayManage(actor, target);
}
