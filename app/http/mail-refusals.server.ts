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

/** No such mailbox, domain or host, moved, or disabled (RFC 3463): not what a server thinks of the sender, nor an outage. */
const NO_MAILBOX = /E_RECIPIENT_SUPPRESSED|\b5\.(?:1\.[1236]|2\.1)\b/;

const textOf = (error: unknown): string => {
  const { code, message = "" } = Object(error) as { code?: unknown; message?: unknown };
  return `${code} ${message}`;
};

/** Detects the refusal of an address that takes no mail at all. */
export const isRecipientRefused = (error: unknown): boolean => NO_MAILBOX.test(textOf(error));

/** Describes why a mail was refused: in plain words where they are known, then as the platform says it. */
export function refusalOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  const plain = REFUSALS.find(([pattern]) => pattern.test(textOf(error)))?.[1];
  const said = typeof code === "string" ? `${code}, ${describeError(error)}` : describeError(error);
  return plain ? `${plain}. ${said}` : said;
}
