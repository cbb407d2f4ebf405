import { type DeliveredMail, receiveMail } from "~/features/chat/operations/received-mails.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { logError } from "~/http/request-log.server";
import { readMail } from "./routes";

/**
 * Takes a mail that the platform delivers.
 *
 * @throws Error without the mail's words, since the platform logs what is thrown; the sender's server tries again
 */
export async function takeMail(mail: DeliveredMail, env: Env, ctx: ExecutionContext): Promise<void> {
  try {
    await receiveMail(env, mail, { waitUntil: (work) => ctx.waitUntil(work), readMail });
  } catch (error) {
    const reference = logError(error);
    await recordFailure(env, { kind: "mail", place: "Received mail", reference }, error);
    throw new Error(`The mail was not taken (${reference}).`);
  }
}

/** Path at which `wrangler dev` takes mails; Cloudflare keeps all of /cdn-cgi for itself, so that no deployed Worker sees it. */
const PATH = "/cdn-cgi/handler/email";
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Tells whether a request posts a mail to a shop on this computer. */
export function isLocalMail({ method, url }: Request): boolean {
  const { hostname, pathname } = new URL(url);
  return method === "POST" && pathname === PATH && LOOPBACK.test(hostname);
}

/** Delivers a raw mail as a mail server would: `from` and `to` of the envelope are in the query. */
export async function deliverLocalMail(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [from, to] = [searchParams.get("from"), searchParams.get("to")];
  if (from === null || !to) return new Response("The query needs from and to.\n", { status: 400 });
  const bytes = new Uint8Array(await request.arrayBuffer());
  const raw = new Response(bytes).body;
  if (!raw || bytes.length === 0) return new Response("The body is a raw mail.\n", { status: 400 });
  const mail = { from, to, headers: headersOf(bytes), raw, rawSize: bytes.length };
  const outcome = await receiveMail(env, mail, { waitUntil: (work) => ctx.waitUntil(work), readMail });
  return new Response(`${outcome}\n`);
}

/** Reads the headers of a raw mail, which end with its first empty line; those that HTTP has no form for are left out. */
function headersOf(raw: Uint8Array): Headers {
  const text = new TextDecoder("latin1").decode(raw);
  const [head = ""] = text.split(/\r?\n\r?\n/, 1);
  const headers = new Headers();
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name) headers.append(name, value.replaceAll(/[^\x20-\x7e]/g, "?").trim());
  }
  return headers;
}
