import { describeError } from "./request-log.server";

/** Refusals of Cloudflare's Email Service, by their code or message (docs/operations.md, Mail). */
const REFUSALS: [RegExp, string][] = [
  [
    /E_RECIPIENT_NOT_ALLOWED|not a verified address/,
    "Only verified addresses of the Cloudflare account get mail until the domain of MAIL_FROM is onboarded for Email Sending",
  ],
  [
    /E_SENDER_(?:NOT_VERIFIED|DOMAIN_NOT_AVAILABLE)/,
    "The domain of MAIL_FROM is not onboarded for Email Sending",
  ],
  [/E_RECIPIENT_SUPPRESSED/, "Earlier mails to this address bounced or were reported as spam"],
  [/E_(?:RATE|DAILY)_LIMIT_EXCEEDED/, "The Cloudflare account has sent as many mails as it may for now"],
  [/ACCOUNT_NOT_ENTITLED/, "The Cloudflare account has no plan with Email Sending"],
];

/** Codes after which the same mail may be taken later. */
const TEMPORARY = /E_(?:RATE|DAILY)_LIMIT_EXCEEDED|E_INTERNAL_SERVER_ERROR|E_DELIVERY_FAILED/;
/** Reply of a mail server that takes the mail never: 5xx, or an enhanced status of 5. */
const NEVER = /(?:^|\s)5(?:\d\d|\.\d{1,3}\.\d{1,3})(?=[\s-]|$)/;

const textOf = (error: unknown): string => {
  const { code, message = "" } = Object(error) as { code?: unknown; message?: unknown };
  return `${code} ${message}`;
};

/** Detects a refusal that lasts until somebody changes something: recipient, sender or account. */
export function isPermanentRefusal(error: unknown): boolean {
  const text = textOf(error);
  if (TEMPORARY.test(text)) return false;
  return NEVER.test(text) || /\bE_[A-Z_]+/.test(text) || REFUSALS.some(([pattern]) => pattern.test(text));
}

/** Detects the refusal of an address that takes no mail at all. */
export function isRecipientRefused(error: unknown): boolean {
  const text = textOf(error);
  return /E_RECIPIENT_SUPPRESSED/.test(text) || (NEVER.test(text) && !TEMPORARY.test(text));
}

/** Describes why a mail was refused: in plain words where they are known, then as the platform says it. */
export function refusalOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  const plain = REFUSALS.find(([pattern]) => pattern.test(textOf(error)))?.[1];
  const said = typeof code === "string" ? `${code}, ${describeError(error)}` : describeError(error);
  return plain ? `${plain}. ${said}` : said;
}
