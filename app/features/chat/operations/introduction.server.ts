import { AppError, fieldError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { skippedQuestionsCookie } from "~/session/cookies.server";
import { QUESTIONS, type Question } from "../introduction";
import { IntroductionInput, SkippedQuestionInput } from "../schema";
import { visitorName } from "../visitor-name.server";
import { chatNotFound, requireChatIdentity } from "./access.server";

const KNOWN: Record<Question, string> = {
  userEmail: "This conversation has an email address already.",
  userName: "This conversation has a name already.",
};

/**
 * Adds the name and e-mail address that a visitor gives after their first message; the name becomes the chat's.
 *
 * @throws AppError forbidden for staff and strangers; notFound; invalid, also for the shop's own name; conflict for another
 *   value than the known one
 */
export const introduce = operation({
  access: "anyone",
  input: IntroductionInput,
  limits: ({ env, address }) => [{ limiter: env.LIMIT_CHAT_CREATE_ADDRESS, key: address }],
  async run({ input: { chatId, userName, userEmail }, ...context }) {
    const [{ name: shopName }] = await Promise.all([shopSettings(context), requireVisitor(context, chatId)]);
    if (userName && visitorName(shopName, userName) !== userName)
      throw fieldError("invalid", "userName", "Please choose another name");
    const result = await context.env.CHAT_ROOM.getByName(chatId).introduce({ userName, userEmail });
    if (!result) throw chatNotFound();
    if ("known" in result) throw fieldError("conflict", result.known, KNOWN[result.known]);
    return { chatId, ...result };
  },
});

/** Remembers in this browser that a question was skipped, for pages without JavaScript. @throws AppError forbidden */
export const skipQuestion = operation({
  access: "anyone",
  input: SkippedQuestionInput,
  async run({ input: { chatId, question }, ...context }) {
    await requireVisitor(context, chatId);
    const skipped = QUESTIONS.filter((one) => one === question || skippedQuestions(context).includes(one));
    context.headers.append("Set-Cookie", skippedQuestionsCookie(chatId, skipped.join("."), context.secure));
    return { chatId };
  },
});

/** Reads the questions that were skipped in the chat of the page. */
export function skippedQuestions({ cookies }: Pick<RequestContext, "cookies">): Question[] {
  return QUESTIONS.filter((question) => cookies.skippedQuestions.split(".").includes(question));
}

async function requireVisitor(context: RequestContext, chatId: string): Promise<void> {
  const { role } = await requireChatIdentity(context, chatId);
  if (role === "staff") throw new AppError("forbidden", "Only the visitor gives their name here.");
}
