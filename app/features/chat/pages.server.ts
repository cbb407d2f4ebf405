import { redirect } from "@remix-run/cloudflare";
import { AppError } from "~/http/errors";
import { resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { outgoingHeaders } from "~/http/response-headers.server";
import { chatCart, latestChatId, openByLink, readChatFor, requireLink, seatIn } from "./operations.server";
import type { KeptLine } from "./rooms";
import { saidAt } from "./said-at";

/**
 * The reader's latest chat, if it can still be read.
 *
 * @returns null where a new one is to be begun
 */
export async function latestReadableChat(context: RequestContext): Promise<string | null> {
  const chatId = await latestChatId(context);
  if (!chatId) return null;
  try {
    await readChatFor(context, chatId, Number.MAX_SAFE_INTEGER);
    return chatId;
  } catch (error) {
    if (error instanceof AppError && ["notFound", "forbidden"].includes(error.code)) return null;
    throw error;
  }
}

/** What was in the cart when a chat began, as its visitor is shown it. */
export interface Snapshot {
  /** `image` as stored, that of now. */
  lines: (KeptLine & { image: string | null })[];
  totalCents: number;
}

/**
 * A chat for its page, with what was in the cart when it began; a mailed link (`?key=`) lets this browser in and leads
 * to the bare address, once its reader has agreed where it would replace another chat.
 *
 * @returns `cart` null where there was none, or where it can't be read: the talk goes on without; null for a chat that
 *   is not this reader's, or never was: which, nobody is told
 * @throws Response 303 for a link (403 where no person follows it), and to a new chat where this one was deleted
 */
export async function chatForPage(context: RequestContext, request: Request, chatId: string) {
  const key = new URL(request.url).searchParams.get("key");
  if (key !== null) {
    if (await mustAsk(context, request, chatId, key)) return { link: { chatId, linkKey: key } };
    throw await led(context, request, chatId, key);
  }
  const read = await readUnlessEnded(context, chatId);
  if (!read) return null;
  const { id, userName } = read.chat;
  const { timezone } = context.settings;
  const messages = read.messages.map((message) => ({
    ...message,
    time: saidAt(message.timestamp.seconds, timezone),
  }));
  return { chat: { id, userName }, messages, cart: await cartWith(context, chatId) };
}

/**
 * Whether a person follows a link: not a browser that fetches ahead, or another site's picture
 * or frame, by which it would put a chat of its own into this browser.
 */
function isVisit({ headers }: Request): boolean {
  const isAhead = headers.has("Sec-Purpose") || headers.has("Purpose") || headers.has("X-Moz");
  return !isAhead && (headers.get("Sec-Fetch-Dest") ?? "document") === "document";
}

/**
 * Whether a link would put a chat in the place of the reader's current one although no page of the shop asked for it:
 * another site could lead them to write to a chat of its own.
 */
async function mustAsk(context: RequestContext, request: Request, chatId: string, key: string) {
  if (request.method !== "GET" || !isVisit(request)) return false;
  if (request.headers.get("Sec-Fetch-Site") === "same-origin" || (await seatIn(context, chatId)))
    return false;
  const isGood = await requireLink(context, chatId, key).then(
    () => true,
    () => false,
  );
  return isGood && (await latestReadableChat(context)) !== null;
}

/** An expired link says so, unless this browser is in the chat already. */
async function led(
  context: RequestContext,
  request: Request,
  chatId: string,
  key: string,
): Promise<Response> {
  let page = `/chat/${encodeURIComponent(chatId)}`;
  if (request.method === "HEAD") return redirect(page, 303);
  if (!isVisit(request)) return new Response(null, { status: 403 });
  try {
    await openByLink.execute(context, { chatId, key });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "forbidden")) throw error;
    if (!(await seatIn(context, chatId))) page = "/chat?expired";
  }
  return redirect(page, { status: 303, headers: await outgoingHeaders(context) });
}

/** What the start form says to who was led there. */
const LED_BY = {
  ended: "That chat has ended. You can start a new one.",
  expired: "This link has expired. Please start a new chat.",
};

/**
 * What the page /chat does: it leads to the reader's latest chat, unless another is to begin (`?new`, or because of one
 * that can't be gone on with).
 *
 * @throws Response to the chat
 */
export async function chatsPage(context: RequestContext, request: Request): Promise<{ note: string | null }> {
  const asked = new URL(request.url).searchParams;
  if (asked.has("ended")) return { note: LED_BY.ended };
  if (asked.has("expired")) return { note: LED_BY.expired };
  const chatId = asked.has("new") ? null : await latestReadableChat(context);
  if (chatId) throw redirect(`/chat/${chatId}`);
  return { note: null };
}

async function readUnlessEnded(context: RequestContext, chatId: string) {
  try {
    return await readChatFor(context, chatId);
  } catch (error) {
    if (error instanceof AppError && error.code === "notFound") throw redirect("/chat?ended", 303);
    if (error instanceof AppError && error.code === "forbidden") return null;
    throw error;
  }
}

/**
 * Reads the cart that a chat began with, for its participants.
 *
 * @throws AppError notFound, forbidden
 */
export async function cartOfChat(context: RequestContext, chatId: string): Promise<Snapshot | null> {
  await readChatFor(context, chatId, Number.MAX_SAFE_INTEGER);
  return cartWith(context, chatId);
}

async function cartWith(context: RequestContext, chatId: string): Promise<Snapshot | null> {
  const cart = await resultOrNull(chatCart(context, chatId));
  if (!cart?.lines.length) return null;
  const lines = cart.lines.map(({ productId, name, quantity, priceCents, image }) => ({
    productId,
    name,
    quantity,
    priceCents,
    image,
  }));
  return { lines, totalCents: cart.totalCents };
}
