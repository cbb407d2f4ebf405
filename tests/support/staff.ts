import type { BrowserContextOptions, Page } from "@playwright/test";
import type { Open } from "./browser";
import { fetchShop, runningShop } from "./running-shop";
import { type Role, signedInAs } from "./signed-in";

/** Calls the running shop's API as a demo admin or manager. */
export async function staffCall(
  role: Exclude<Role, "customer">,
  path: string,
  body?: unknown,
  method = "POST",
) {
  const origin = runningShop().url;
  const answer = await fetchShop(`/api/${path}`, {
    method: body === undefined ? "GET" : method,
    headers: { "Content-Type": "application/json", Origin: origin, Cookie: (await signedInAs(role)).cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** Opens an admin page as a signed-in demo account. */
export async function asStaff(
  open: Open,
  role: Exclude<Role, "customer">,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return open(path, { ...options, ...(await signedInAs(role)).browser });
}
