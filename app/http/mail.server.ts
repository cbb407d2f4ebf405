import { EmailMessage } from "cloudflare:email";
import { createMimeMessage, Mailbox } from "mimetext/browser";
import { logoUrl } from "~/domain/logo";
import { domainOf, type ShopSettings } from "./shop-settings.server";

/** Header of every mail of the shop: one that comes back is not answered again. */
export const LOOP_HEADER = "X-Emporia-Chat";

export interface Mail {
  to: string;
  subject: string;
  /** Same content as `html`, for readers without HTML. */
  text: string;
  html: string;
  /** Conversation that the mail belongs to. */
  thread?: MailThread | undefined;
  /** Address of replies, where it belongs to no conversation; without it they go to the sender. */
  replyTo?: string | undefined;
  /** URL that ends mails of this kind, where it belongs to no conversation. */
  stopUrl?: string;
}

/** Mails of a conversation to one person. */
export interface MailThread {
  id: string;
  /** Address of replies; null where the shop receives none. */
  replyTo: string | null;
  /** URL that turns the mails of this conversation off. */
  stopUrl: string;
}

/**
 * Returns the first line of a mail. A name like `evil.com` is left out: mail programs would make a link of it, and
 * anybody can enter somebody else's address.
 */
export function salutation(name: string): string {
  const isLink = /[\p{L}\p{N}][.\u3002\uff0e\uff61@][\p{L}\p{N}]{2}/u.test(name);
  return isLink || name === "" ? "Hello," : `Hello ${name},`;
}

/** Sends a mail from the shop's address. */
export async function sendMail(mailer: SendEmail, settings: ShopSettings, mail: Mail): Promise<void> {
  const message = createMimeMessage();
  message.setSender({ name: settings.name, addr: settings.mailFrom });
  message.setTo({ addr: mail.to });
  message.setSubject(mail.subject);
  message.setHeaders({ [LOOP_HEADER]: mail.thread?.id ?? "none", "Auto-Submitted": "auto-generated" });
  if (mail.replyTo) message.setHeaders({ "Reply-To": new Mailbox(mail.replyTo) });
  if (mail.stopUrl) message.setHeaders(stopHeaders(mail.stopUrl));
  if (mail.thread) message.setHeaders(threadHeaders(mail.thread, domainOf(settings.mailFrom)));
  message.addMessage({ contentType: "text/plain", encoding: "8bit", data: asLines(mail.text) });
  message.addMessage({ contentType: "text/html", encoding: "8bit", data: asLines(mail.html) });
  await mailer.send(new EmailMessage(settings.mailFrom, mail.to, message.asRaw()));
}

/** Builds the headers by which mail programs show a conversation's mails together, answer and stop them. */
function threadHeaders({ id, replyTo, stopUrl }: MailThread, domain: string) {
  const first = `<chat.${id}@${domain}>`;
  return {
    "Message-ID": `<${crypto.randomUUID()}.${id}@${domain}>`,
    "In-Reply-To": first,
    References: first,
    ...stopHeaders(stopUrl),
    ...(replyTo !== null && { "Reply-To": new Mailbox(replyTo) }),
  };
}

/** Builds the headers by which mail programs offer to end mails (RFC 8058). */
const stopHeaders = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Colours of mails in the dark, where the mail program takes them; others stay light. */
const DARK = `:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  body { background: #141b17 !important; color: #eef3ef !important }
  blockquote { background: #1f2823 !important; border-color: #74d3a4 !important }
  a { color: #74d3a4 !important }
  a.button { background: #74d3a4 !important; color: #10231a !important }
}`;

/**
 * Renders a mail as HTML: one column, one button, the shop's name and e-mail address below.
 *
 * @param before HTML above the button
 * @param button label as plain text, and URL
 * @param after HTML below the button
 */
export function mailLayout(
  settings: ShopSettings,
  title: string,
  before: string,
  button: { label: string; href: string },
  after: string,
): string {
  const { name, supportEmail } = settings;
  const [shop, mailbox, heading, label, href] = [name, supportEmail, title, button.label, button.href].map(
    escapeHtml,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${heading}</title><style>${DARK}</style></head>
<body style="margin:0;padding:32px 16px;background:#f7f9f7;color:#17231d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto">${logoLine(settings)}
${before}
<p><a href="${href}" class="button" style="display:inline-block;padding:12px 22px;border-radius:11px;background:#0d5f3f;color:#fff;font-weight:600;text-decoration:none">${label}</a></p>
${after}
<p>${shop}<br><a href="mailto:${mailbox}" style="color:#0d5f3f">${mailbox}</a></p>
</div>
</body></html>
`;
}

/** Shows the shop's logo above a mail; nothing without one. Its address is the same in every mail. */
function logoLine({ name, logo, url }: ShopSettings): string {
  if (logo === "") return "";
  const [shop, src] = [name, url + logoUrl(logo)].map(escapeHtml);
  return `\n<p><img src="${src}" alt="${shop}" height="40" style="height:40px;max-width:240px;object-fit:contain"></p>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Converts line ends for mail. A line may have at most 998 bytes; callers that quote user input wrap it. */
function asLines(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
