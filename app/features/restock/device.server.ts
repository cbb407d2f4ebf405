import type { RequestContext } from "~/http/request-context.server";
import { sealedCookie } from "~/session/cookies.server";
import { sealed, unsealed } from "~/session/sealed.server";
import { UNCONFIRMED_SECONDS, WAITING_SECONDS } from "./schema";

/** Sold-out unit that this browser has asked about. */
export interface DeviceWait {
  unitId: string;
  /** Time of asking, epoch seconds. */
  since: number;
  /** Number of the request that the browser made or confirmed; 0 where it must not learn whether there is one. */
  request: number;
  /** Address that was typed; "" for its own notifications. */
  email: string;
}

/** Units that one browser remembers, the latest. */
const MAX_WAITS = 8;
const PURPOSE = "sold-out units that a browser waits for";
/** Digits of a request's number: the length of the cookie must not tell one from none. */
const DIGITS = 12;

type Device = Pick<RequestContext, "env" | "cookies" | "now">;
type StoredWait = [unitId: string, since: number, request: string, email: string];

/** Reads what this browser waits for, latest first. */
export async function deviceWaits({ env, cookies, now }: Device): Promise<DeviceWait[]> {
  const text = cookies.waits && (await unsealed(env.COOKIE_SECRET, PURPOSE, cookies.waits));
  const stored = text ? (JSON.parse(text) as StoredWait[]) : [];
  return stored
    .map(([unitId, since, request, email]) => ({ unitId, since, request: Number(request), email }))
    .filter(({ since, request }) => now < since + (request ? WAITING_SECONDS : UNCONFIRMED_SECONDS));
}

type Change = Device & Pick<RequestContext, "headers" | "secure">;

/** Stores what this browser waits for, in an encrypted cookie: it must not learn which requests it made are new. */
async function storeWaits({ env, headers, secure }: Change, waits: DeviceWait[]): Promise<void> {
  const values = waits.slice(0, MAX_WAITS).map(({ unitId, since, request, email }): StoredWait => {
    return [unitId, since, String(request).padStart(DIGITS, "0"), email];
  });
  const text = values.length > 0 ? await sealed(env.COOKIE_SECRET, PURPOSE, JSON.stringify(values)) : null;
  headers.append("Set-Cookie", await sealedCookie("waits", text, WAITING_SECONDS, secure));
}

/** Remembers that this browser waits for a unit, in place of what it asked about it before. */
export async function rememberWait(context: Change, wait: DeviceWait): Promise<void> {
  const others = (await deviceWaits(context)).filter(({ unitId }) => unitId !== wait.unitId);
  await storeWaits(context, [wait, ...others]);
}

/** Forgets what this browser waits for by the number of its request, or by its unit. */
export async function forgetWait(
  context: Change,
  { unitId, request }: { unitId: string; request: number | null },
): Promise<void> {
  const waits = await deviceWaits(context);
  const kept = waits.filter((wait) => wait.unitId !== unitId && wait.request !== request);
  if (kept.length < waits.length) await storeWaits(context, kept);
}
