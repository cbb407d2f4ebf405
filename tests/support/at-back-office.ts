import type { BrowserContextOptions, Page } from "playwright";
import { inject } from "vitest";
import signIns from "../../scripts/seed/sign-ins.json";

/** A seller's session cookie, as a browser keeps it. */
async function session() {
  const origin = inject("shopUrl");
  const seller = signIns.find(({ role }) => role === "manager");
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ email: seller?.email, password: seller?.password }),
  });
  return answer.headers.getSetCookie().map((line) => {
    const pair = line.split(";")[0] ?? "";
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain: "localhost", path: "/" };
  });
}

let signedIn: ReturnType<typeof session> | undefined;

/**
 * Opens a page of the back office, signed in as the demo's manager: once for a file of journeys.
 *
 * @param open of browserJourneys
 */
export async function atBackOffice(
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  signedIn ??= session();
  const page = await open("/robots.txt", options);
  await page.context().addCookies(await signedIn);
  await page.goto(path);
  return page;
}
