import { EmailMessage } from "cloudflare:email";
import { createMimeMessage } from "mimetext/browser";
import type { ShopSettings } from "~/http/shop-settings.server";

/**
 * Sends the link that sets a new password, as text and as HTML.
 *
 * @param mailer the send_email binding
 * @param to whose password it is
 * @param link absolute, built from SHOP_URL
 * @throws what the mailer throws
 */
export async function sendResetMail(
  mailer: SendEmail,
  settings: ShopSettings,
  to: { email: string; firstName: string },
  link: string,
): Promise<void> {
  const message = createMimeMessage();
  message.setSender({ name: settings.name, addr: settings.mailFrom });
  message.setTo({ addr: to.email });
  message.setSubject(`Reset your ${settings.name} password`);
  const text = asText(settings, to.firstName, link);
  const html = asHtml(settings, to.firstName, link);
  message.addMessage({ contentType: "text/plain", encoding: "8bit", data: withCrLf(text) });
  message.addMessage({ contentType: "text/html", encoding: "8bit", data: withCrLf(html) });
  await mailer.send(new EmailMessage(settings.mailFrom, to.email, message.asRaw()));
}

function asText({ name, supportEmail }: ShopSettings, firstName: string, link: string): string {
  return `Hello ${firstName},

somebody, probably you, asked to reset your password at ${name}. Choose a new one here:

${link}

The link works once, for one hour. If it wasn't you, you needn't do anything: your password stays as it is.

${name}
${supportEmail}
`;
}

function asHtml({ name, supportEmail }: ShopSettings, firstName: string, link: string): string {
  const [shop, person, mailbox, href] = [name, firstName, supportEmail, link].map(escaped);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Reset your ${shop} password</title></head>
<body style="margin:0;padding:32px 16px;background:#f7f9f7;color:#17231d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto">
<p>Hello ${person},</p>
<p>somebody, probably you, asked to reset your password at ${shop}.</p>
<p><a href="${href}" style="display:inline-block;padding:12px 22px;border-radius:11px;background:#0d5f3f;color:#fff;font-weight:600;text-decoration:none">Choose a new password</a></p>
<p style="word-break:break-all">Or open <a href="${href}" style="color:#0d5f3f">${href}</a></p>
<p>The link works once, for one hour. If it wasn't you, you needn't do anything: your password stays as it is.</p>
<p>${shop}<br><a href="mailto:${mailbox}" style="color:#0d5f3f">${mailbox}</a></p>
</div>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Mail's own line ends. */
function withCrLf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
