import { EmailMessage } from "cloudflare:email";
import { createMimeMessage } from "mimetext/browser";
import type { ShopSettings } from "./shop-settings.server";

export interface Mail {
  to: string;
  subject: string;
  /** Same content as `html`, for readers without HTML. */
  text: string;
  html: string;
}

/**
 * Returns the first line of a mail. A name like `evil.com` is left out: mail programs would make a link of it, and
 * anybody can enter somebody else's address.
 */
export function salutation(name: string): string {
  return /[\p{L}\p{N}][.\u3002\uff0e\uff61@][\p{L}\p{N}]{2}/u.test(name) ? "Hello," : `Hello ${name},`;
}

/** Sends a mail from the shop's address. */
export async function sendMail(mailer: SendEmail, settings: ShopSettings, mail: Mail): Promise<void> {
  const message = createMimeMessage();
  message.setSender({ name: settings.name, addr: settings.mailFrom });
  message.setTo({ addr: mail.to });
  message.setSubject(mail.subject);
  message.addMessage({ contentType: "text/plain", encoding: "8bit", data: asLines(mail.text) });
  message.addMessage({ contentType: "text/html", encoding: "8bit", data: asLines(mail.html) });
  await mailer.send(new EmailMessage(settings.mailFrom, mail.to, message.asRaw()));
}

/**
 * Renders a mail as HTML: one column, one button, the shop's name and e-mail address below.
 *
 * @param before HTML above the button
 * @param button label as plain text, and URL
 * @param after HTML below the button
 */
export function mailLayout(
  { name, supportEmail }: ShopSettings,
  title: string,
  before: string,
  button: { label: string; href: string },
  after: string,
): string {
  const [shop, mailbox, heading, label, href] = [name, supportEmail, title, button.label, button.href].map(
    escapeHtml,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>
<body style="margin:0;padding:32px 16px;background:#f7f9f7;color:#17231d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto">
${before}
<p><a href="${href}" style="display:inline-block;padding:12px 22px;border-radius:11px;background:#0d5f3f;color:#fff;font-weight:600;text-decoration:none">${label}</a></p>
${after}
<p>${shop}<br><a href="mailto:${mailbox}" style="color:#0d5f3f">${mailbox}</a></p>
</div>
</body></html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Converts line ends for mail. A line may have at most 998 bytes; callers that quote user input wrap it. */
function asLines(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
