import type { z } from "zod";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { SUPPORT_TEAM } from "../limits";
import type { ChatMessage } from "../protocol";
import type { ConnectionIdentity, IncomingMessage, PostResult } from "../rooms";
import type { MessageInput } from "../schema";
import { chatNotFound, limitError, productNotFound } from "./access.server";
import { postWithFiles } from "./files.server";
import { authorNameFor } from "./settings.server";

export type NewMessage = z.infer<typeof MessageInput>;

/** Message as it names a product, and the product. */
type AskedProduct = Pick<IncomingMessage, "message" | "cards" | "lines"> & { isUnknown: boolean };

/**
 * Posts a message of a person who is identified: by their session or the chat's cookie, or by the token of a mail.
 *
 * @param asked reads the product that the message is about
 * @throws AppError notFound, also for a product that never was and a reply to a message of another chat; rateLimited; conflict for a used id with other content;
 *   tooLarge, invalid for a file
 */
export async function postAs(
  context: RequestContext,
  { role, staffName, userId }: ConnectionIdentity,
  { id, chatId, senderName, files, replyTo }: NewMessage,
  asked: Promise<AskedProduct>,
): Promise<ChatMessage> {
  const isFromAdmin = role === "staff";
  const firstName = isFromAdmin && staffName !== SUPPORT_TEAM ? staffName : "";
  const [{ isUnknown, ...content }, authorName] = await Promise.all([
    asked,
    firstName ? authorNameFor(context.db, firstName) : undefined,
  ]);
  const incoming = {
    ...content,
    ...{ id, replyTo },
    isFromAdmin,
    senderName: isFromAdmin ? SUPPORT_TEAM : senderName,
    staffName,
    authorName,
    staffId: isFromAdmin ? (userId ?? undefined) : undefined,
    isCardUnknown: isUnknown,
  };
  return storedMessage(
    files.length > 0
      ? await postWithFiles(context, chatId, incoming, files)
      : await context.env.CHAT_ROOM.getByName(chatId).post(incoming),
  );
}

/** Returns a posted message. @throws AppError for a rejected one */
function storedMessage(result: PostResult) {
  if ("stored" in result) return result.stored;
  if (result.rejected === "notFound") throw chatNotFound();
  if (result.rejected === "unknownCard") throw productNotFound();
  if (result.rejected === "unknownMessage")
    throw new AppError("notFound", "The message that you reply to was not found");
  if (result.rejected === "idTaken")
    throw new AppError("conflict", "Another message was sent with this id. Send this one with a new id.");
  throw limitError(result);
}
