import { redirect } from "@remix-run/cloudflare";
import { redirectToLogin } from "~/http/redirects.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "./current-user";

/**
 * Requires a member of staff (docs/product.md, 2.2).
 *
 * @returns signed-in admin or manager
 * @throws Response a redirect to /login (signed out) or /unauthorized (not staff)
 */
export async function requireStaff({ request, caller }: RequestContext): Promise<CurrentUser> {
  const user = await caller.user();
  if (user?.isAdmin || user?.isManager) return user;
  if (user) throw redirect("/unauthorized");
  throw redirectToLogin(request);
}
