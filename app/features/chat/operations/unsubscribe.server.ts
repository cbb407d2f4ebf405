import { z } from "zod";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey } from "~/session/tokens.server";
import { findThread, stopThread } from "../mails.queries.server";

const text = z.string({ error: "Must be text" }).max(200, "Too long");
/** Input of a mail's link that turns the mails of its conversation off. */
const StopInput = z.object({ id: text, key: text });
/** The same, also as mail programs send it (RFC 8058). */
const OneClickInput = StopInput.extend({ "List-Unsubscribe": text.optional() });

/**
 * Reads whether the mails of a conversation are on. Opening the link changes nothing: mail programs open links by themselves.
 *
 * @returns null for a link that is not valid or whose conversation was deleted
 */
export const readMails = operation({
  access: "anyone",
  input: StopInput,
  async run({ input: { id, key }, ...context }): Promise<{ isOn: boolean } | null> {
    const thread = (await isStopLink(context, id, key)) ? await findThread(context.db, id) : null;
    return thread && { isOn: thread.stoppedAt === null };
  },
});

/** Turns the mails of a conversation off. @throws AppError notFound for a link that is not valid */
export const stopMails = operation({
  access: "anyone",
  input: OneClickInput,
  run: ({ input, ...context }) => setStopped(context, input, context.now),
});

/** Turns the mails of a conversation on again. @throws AppError notFound for a link that is not valid */
export const startMails = operation({
  access: "anyone",
  input: StopInput,
  run: ({ input, ...context }) => setStopped(context, input, null),
});

async function setStopped(
  context: RequestContext,
  { id, key }: z.infer<typeof StopInput>,
  stoppedAt: number | null,
): Promise<{ isOn: boolean }> {
  if (!(await isStopLink(context, id, key)) || !(await stopThread(context.db, id, stoppedAt)))
    throw new AppError("notFound", "This link is not valid any more.");
  return { isOn: stoppedAt === null };
}

const isStopLink = ({ env, now }: Pick<RequestContext, "env" | "now">, id: string, key: string) =>
  isLinkKey(env.COOKIE_SECRET, "mails", id, key, now);
