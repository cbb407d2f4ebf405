import { redirect } from "@remix-run/cloudflare";
import { AppError } from "~/http/errors";
import { outgoingHeaders } from "~/http/outgoing-headers.server";
import type { RequestContext } from "~/http/request-context.server";
import { latestChatId, readChatFor, reopenByLink } from "./operations.server";

/**
 * The reader's latest chat, if it can still be read.
 *
 * @returns null where a new one is to be begun
 */
export async function chatToResume(context: RequestContext): Promise<string | null> {
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

/**
 * A chat for its page; a mailed link (`?key=`) lets this browser in and leads to the bare address.
 *
 * @throws Response 303 for a good link; AppError forbidden, notFound
 */
export async function chatForPage(context: RequestContext, request: Request, chatId: string) {
  const key = new URL(request.url).searchParams.get("key");
  if (key !== null) {
    await reopenByLink(context, chatId, key);
    throw redirect(`/chat/${encodeURIComponent(chatId)}`, {
      status: 303,
      headers: await outgoingHeaders(context),
    });
  }
  return readChatFor(context, chatId);
}
