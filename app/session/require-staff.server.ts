import { redirect } from "@remix-run/cloudflare";
import { redirectToLogin } from "~/http/redirects.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "./current-user";

/**
 * The guard of every admin page (back office 4 and 6): not signed in → /login and back afterwards;
 * not staff → /unauthorized.
 *
 * @returns the signed-in admin or manager
 * @throws Response a redirect
 */
export async function requireStaff({ request, caller }: RequestContext): Promise<CurrentUser> {
  const user = await caller.user();
  if (user?.isAdmin || user?.isManager) return user;
  if (user) throw redirect("/unauthorized");
  throw redirectToLogin(request);
}
