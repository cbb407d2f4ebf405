import { z } from "zod";
import type { chatSettings, predefinedResponses } from "~/db/schema";
import { CATEGORIES, type Category } from "~/domain/categories";
import { type FirstQuestions, MAX_FIRST_QUESTIONS } from "~/domain/first-questions";
import { optionalText, requiredText } from "~/http/fields";
import { choiceField, customField, flagField, textField } from "~/records/fields";
import { type FieldsOf, recordOf } from "~/records/record";
import { MAX_MESSAGE, STAFF_SHOWN_AS, type StaffShownAs, SUPPORT_TEAM } from "./limits";
import { hasVisibleCharacter, messageText } from "./schema";

const NO_TRIGGER = "Trigger is required";
const MAX_TRIGGER = 200;
const MAX_CATEGORY = 60;
const DEFAULT_CATEGORY = "General";

/** Fields of a predefined response. */
export const RESPONSE = recordOf({
  trigger: textField({
    label: "Trigger word/phrase",
    max: MAX_TRIGGER,
    rule: requiredText(NO_TRIGGER, MAX_TRIGGER).refine(hasVisibleCharacter, NO_TRIGGER),
    input: { required: true },
    audit: "fact",
  }),
  response: textField({
    label: "Response message",
    hint: "{name}, {product}, {pickup}, {hours}, {address}, {opens} and {closing} are filled in for each conversation. {words} repeats the words to engrave, or asks for them.",
    max: MAX_MESSAGE,
    rule: messageText,
    input: { rows: 3, required: true },
    audit: "fact",
  }),
  category: textField({
    label: "Category",
    max: MAX_CATEGORY,
    rule: optionalText(MAX_CATEGORY).transform((text) => text || DEFAULT_CATEGORY),
    blank: DEFAULT_CATEGORY,
    audit: "value",
  }),
  isActive: flagField({ label: "Active", missing: true }),
} satisfies FieldsOf<typeof predefinedResponses, "id" | "createdAt" | "updatedAt">);

/** Creates the field of an automatic message; blank turns it off. */
const automaticMessage = (label: string) =>
  textField({
    label,
    max: MAX_MESSAGE,
    rule: z.preprocess((value) => value ?? "", messageText.or(z.string().trim().length(0))),
    input: { rows: 4 },
    audit: "fact",
  });

const SHOWN_AS: Record<StaffShownAs, string> = {
  both: `First name and ${SUPPORT_TEAM}`,
  name: "First name alone",
  team: SUPPORT_TEAM,
};

/** Names the field of a form with the first questions of a category, one a line; `questionsPath` is their place in the API. */
export const questionsName = (category: Category) => `questions-${category}`;
export const questionsPath = (category: Category) => `firstQuestions.${category}`;

const MAX_QUESTION = 100;
const NO_BLANKS = (list: unknown) =>
  Array.isArray(list) ? list.filter((entry) => typeof entry !== "string" || entry.trim() !== "") : list;

/** First questions of one category, without blank and repeated ones. */
const questions = z.preprocess(
  NO_BLANKS,
  z
    .array(
      requiredText(
        "Write a question",
        MAX_QUESTION,
        `A question has at most ${MAX_QUESTION} characters`,
      ).meta({
        examples: ["Which size is it?"],
      }),
      { error: "Must be a list of questions" },
    )
    .max(MAX_FIRST_QUESTIONS, `At most ${MAX_FIRST_QUESTIONS} questions`)
    .transform((list) => [...new Set(list)]),
);

/** Creates the rule of an object that may have an entry for each category. */
const byCategory = <Rule extends z.ZodType<string[]>>(rule: Rule) =>
  z.object(
    Object.fromEntries(CATEGORIES.map((category) => [category, rule.optional()])) as Record<
      Category,
      z.ZodOptional<Rule>
    >,
  );

/** Settings of the chat; the picture of the person who answers is a file beside them. */
export const SETTINGS = recordOf({
  welcomeMessage: automaticMessage("Welcome Message"),
  offlineMessage: automaticMessage("Offline Message"),
  isOnline: flagField({ label: "Chat is Online" }),
  autoResponseEnabled: flagField({ label: "Enable Auto Responses" }),
  answererName: textField({ label: "Name", max: 60, audit: "fact" }),
  staffShownAs: choiceField(STAFF_SHOWN_AS, {
    label: "Above your messages in the shop",
    nameOf: (value) => SHOWN_AS[value],
  }),
  firstQuestions: {
    ...customField<FirstQuestions>({
      label: "First questions",
      missing: {},
      rule: byCategory(questions),
      answer: byCategory(z.array(z.string().meta({ examples: ["Which size is it?"] }))),
    }),
    audit: "fact",
  },
} satisfies FieldsOf<
  typeof chatSettings,
  "one" | "answererPicture" | "replySeconds" | "replyMeasuredAt" | "switchedUntil" | "version"
>);
