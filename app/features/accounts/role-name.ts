/** Names the highest role of a user (docs/product.md, 1). */
export function roleName({ isAdmin, isManager }: { isAdmin: boolean; isManager: boolean }): string {
  return isAdmin ? "Admin" : isManager ? "Manager" : "User";
}
