import { z } from "zod";
import type { chatSettings, predefinedResponses } from "~/db/schema";
import { optionalText, requiredText } from "~/http/fields";
import { choiceField, flagField, type RecordField, textField } from "~/records/fields";
import { recordOf } from "~/records/record";
import { STAFF_SHOWN_AS } from "./limits";
import { hasVisibleCharacter, messageText } from "./schema";

const NO_TRIGGER = "Trigger is required";

/** Fields of a predefined response. */
export const RESPONSE = recordOf({
  trigger: textField({
    label: "Trigger word/phrase",
    rule: requiredText(NO_TRIGGER, 200).refine(hasVisibleCharacter, NO_TRIGGER),
    audit: "fact",
  }),
  response: textField({ label: "Response message", rule: messageText, audit: "fact" }),
  category: textField({
    audit: "value",
    label: "Category",
    rule: optionalText(60).transform((text) => text || "General"),
  }),
  isActive: flagField({ label: "Active", caption: "Active", missing: true }),
} satisfies Partial<Record<keyof typeof predefinedResponses.$inferSelect, RecordField>>);

/** Automatic message; blank turns it off. */
const automaticMessage = z.preprocess((value) => value ?? "", messageText.or(z.string().trim().length(0)));

/** Settings of the chat; the picture of the person who answers is a file beside them. */
export const SETTINGS = recordOf({
  welcomeMessage: textField({ label: "Welcome message", rule: automaticMessage, audit: "fact" }),
  offlineMessage: textField({ label: "Offline message", rule: automaticMessage, audit: "fact" }),
  isOnline: flagField({ label: "Online", caption: "Online" }),
  autoResponseEnabled: flagField({ label: "Automatic answers", caption: "Automatic answers" }),
  answererName: textField({ label: "Name", max: 60, audit: "fact" }),
  staffShownAs: choiceField(STAFF_SHOWN_AS, { label: "Staff shown as", nameOf: (value) => value }),
} satisfies Partial<Record<keyof typeof chatSettings.$inferSelect, RecordField>>);
