import { pushKeys, requirePoint } from "~/features/push/keys.server";
import { SUBSCRIPTION_LIMITS } from "~/features/push/operations.server";
import { saveSubscription } from "~/features/push/queries.server";
import { SubscriptionInput } from "~/features/push/schema";
import { MessageAnswer } from "~/http/answers";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { chatIdentity, staffIdentity } from "./access.server";

/** Browsers of a member of staff, and of a chat's visitor; the oldest make room for a new one. */
const MAX_STAFF_BROWSERS = 10;
const MAX_VISITOR_BROWSERS = 5;

/**
 * Subscribes the caller's browser: staff to visitors' messages, or a visitor to the answers in their chat.
 *
 * @throws AppError invalid, rateLimited; notFound for a chat that is not the caller's own; without a chat
 *   unauthenticated and forbidden
 */
export const subscribe = operation({
  route: "POST push",
  summary: "Receive notifications",
  answer: MessageAnswer,
  errors: [401, 403, 404],
  access: "anyone",
  input: SubscriptionInput,
  status: 201,
  ...SUBSCRIPTION_LIMITS,
  async run({ input: { endpoint, keys, chatId }, ...context }) {
    const { userId, tokenHash } = await subscriber(context, chatId);
    await requirePoint(keys.p256dh);
    const { publicKey } = await pushKeys(context);
    const row = { endpoint, ...keys, chatId: chatId ?? "", tokenHash, createdAt: context.now, publicKey };
    const max = chatId === undefined ? MAX_STAFF_BROWSERS : MAX_VISITOR_BROWSERS;
    await saveSubscription(context.db, row, chatId === undefined ? userId : null, max);
    return { message: "Notifications are on" };
  },
});

async function subscriber(context: RequestContext, chatId: string | undefined) {
  if (chatId !== undefined) {
    const identity = await chatIdentity(context, chatId);
    if (identity?.role !== "visitor") throw new AppError("notFound", "Chat not found");
    return identity;
  }
  const staff = await staffIdentity(context);
  // An API key has no session with which the subscription would end.
  if (staff?.tokenHash) return staff;
  if (await context.caller.user()) throw new AppError("forbidden", "You don't have permission to do this.");
  throw new AppError("unauthenticated", "Please log in to continue.");
}
