import { escaped, mailFrame, sendMail } from "~/http/mail.server";
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
  await sendMail(mailer, settings, {
    to: to.email,
    subject: `Reset your ${settings.name} password`,
    text: asText(settings, to.firstName, link),
    html: asHtml(settings, to.firstName, link),
  });
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

function asHtml(settings: ShopSettings, firstName: string, link: string): string {
  const [shop, person, href] = [settings.name, firstName, link].map(escaped);
  return mailFrame(
    settings,
    `Reset your ${settings.name} password`,
    `<p>Hello ${person},</p>
<p>somebody, probably you, asked to reset your password at ${shop}.</p>`,
    { label: "Choose a new password", href: link },
    `<p style="word-break:break-all">Or open <a href="${href}" style="color:#0d5f3f">${href}</a></p>
<p>The link works once, for one hour. If it wasn't you, you needn't do anything: your password stays as it is.</p>`,
  );
}
