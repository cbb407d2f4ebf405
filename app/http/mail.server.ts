import { EmailMessage } from "cloudflare:email";
import { createMimeMessage, Mailbox } from "mimetext/browser";
import { weekText } from "~/domain/hours";
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
  /** URL that ends mails of this kind; without it a mail of a conversation has that of its thread. */
  stopUrl?: string;
}

/** Mails of a conversation to one person. */
export interface MailThread {
  id: string;
  /** Address of replies; null where the shop receives none, so that they go to its e-mail address. */
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

/** Sends a mail from the shop's address. Replies go to its conversation, else to the address that a person reads. */
export async function sendMail(mailer: SendEmail, settings: ShopSettings, mail: Mail): Promise<void> {
  const message = createMimeMessage();
  message.setSender({ name: settings.name, addr: settings.mailFrom });
  message.setTo({ addr: mail.to });
  message.setSubject(mail.subject);
  message.setHeaders({ [LOOP_HEADER]: mail.thread?.id ?? "none", "Auto-Submitted": "auto-generated" });
  message.setHeaders({ "Reply-To": new Mailbox(mail.thread?.replyTo ?? settings.supportEmail) });
  if (mail.thread) message.setHeaders(threadHeaders(mail.thread, domainOf(settings.mailFrom)));
  const stopUrl = mail.stopUrl ?? mail.thread?.stopUrl;
  if (stopUrl) message.setHeaders(stopHeaders(stopUrl));
  message.addMessage({ contentType: "text/plain", ...encoded(mail.text) });
  message.addMessage({ contentType: "text/html", ...encoded(mail.html) });
  await mailer.send(new EmailMessage(settings.mailFrom, mail.to, message.asRaw()));
}

/** Builds the headers by which mail programs show a conversation's mails together. */
function threadHeaders({ id }: MailThread, domain: string) {
  const first = `<chat.${id}@${domain}>`;
  return {
    "Message-ID": `<${crypto.randomUUID()}.${id}@${domain}>`,
    "In-Reply-To": first,
    References: first,
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

interface MailLink {
  label: string;
  href: string;
}

/** Part of a mail: a sentence, a quoted message, a list, or a link in a line of its own. */
export type MailBlock = string | { quote: string } | { list: string[] } | MailLink;

/** Content from which the text and the HTML of a mail are made. */
interface MailContent extends Omit<Mail, "text" | "html"> {
  /** Shown beside the subject in a list of mails; by default what follows the greeting. */
  preview?: string;
  /** Stands above the button. */
  before: MailBlock[];
  /** One of the mail; `isSpelledOut` also shows its address in a line of its own, for mail programs whose buttons fail. */
  button: MailLink & { isSpelledOut?: boolean };
  /** Stands below the button. */
  after: MailBlock[];
}

/** Composes the text and the HTML of a mail, which say the same: the shop's name and e-mail address stand below. */
export function composeMail(
  settings: ShopSettings,
  { before, button, after, preview, ...mail }: MailContent,
): Mail {
  const { label, href } = button;
  const signature = `${settings.name}\n${settings.supportEmail}\n`;
  const act = button.isSpelledOut ? `${label}:\n\n${href}` : blockText({ label, href });
  const text = [...before.map(blockText), act, ...after.map(blockText), signature].join("\n\n");
  const first =
    preview ??
    before
      .filter((block) => !isGreeting(block))
      .map(blockText)
      .join(" ");
  const content = { before, button, after, preview: first };
  return { ...mail, text, html: mailHtml(settings, mail.subject, content) };
}

const isGreeting = (block: MailBlock) => typeof block === "string" && /^Hello\b.*,$/.test(block);

/** Says where and when things are collected; nothing of a shop that states no address. */
export function pickupBlocks({ address, pickup, hours, mapUrl }: ShopSettings): MailBlock[] {
  if (!address) return [];
  const place = pickup.includes(address) ? "" : ` Our address: ${address}.`;
  // The place of the settings may name the hours.
  const open = /\d:\d\d/.test(pickup) ? "" : ` ${weekText(hours)}.`;
  const map = mapUrl ? [{ label: "Show on the map", href: mapUrl }] : [];
  return [`Collect it ${pickup}.${place}${open}`, ...map];
}

function blockText(block: MailBlock): string {
  if (typeof block === "string") return block;
  if ("quote" in block) return wrapped(block.quote).replace(/^/gm, "> ");
  if ("list" in block) return block.list.map((item) => `- ${item}`).join("\n");
  return `${block.label}: ${block.href}`;
}

function blockHtml(block: MailBlock): string {
  if (typeof block === "string") return `<p>${escapeHtml(block)}</p>`;
  if ("list" in block)
    return `<ul>\n${block.list.map((item) => `<li>${escapeHtml(item)}</li>`).join("\n")}\n</ul>`;
  if ("quote" in block) {
    const lines = escapeHtml(wrapped(block.quote)).replaceAll("\n", "<br>\n");
    return `<blockquote style="margin:0 0 12px;padding:10px 14px;border-left:3px solid #0d5f3f;background:#fff">${lines}</blockquote>`;
  }
  return `<p>${linkHtml(block)}</p>`;
}

const linkHtml = ({ label, href }: MailLink): string =>
  `<a href="${escapeHtml(href)}" style="color:#0d5f3f">${escapeHtml(label)}</a>`;

/** Wraps lines at 120 characters, which mail programs show as they are. */
function wrapped(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line.match(/.{1,120}(?=\s|$)|.{1,120}/gu) ?? []).map((part) => part.trim()).join("\n"))
    .join("\n")
    .trim();
}

/** Renders a mail as HTML: one column, one button. */
function mailHtml(
  settings: ShopSettings,
  title: string,
  { before, button, after, preview = "" }: Pick<MailContent, "before" | "button" | "after" | "preview">,
): string {
  const { name, supportEmail } = settings;
  const [shop, heading, label, href] = [name, title, button.label, button.href].map(escapeHtml);
  const address = { label: button.href, href: button.href };
  const spelledOut = button.isSpelledOut
    ? `<p style="overflow-wrap:anywhere">Or open ${linkHtml(address)}</p>\n`
    : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${heading}</title><style>${DARK}</style></head>
<body style="margin:0;padding:32px 16px;background:#f7f9f7;color:#17231d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">${previewLine(preview)}${logoLine(settings)}
${before.map(blockHtml).join("\n")}
<p><a href="${href}" class="button" style="display:inline-block;padding:12px 22px;border-radius:11px;background:#0d5f3f;color:#fff;font-weight:600;text-decoration:none">${label}</a></p>
${spelledOut}${after.map(blockHtml).join("\n")}
<p>${shop}<br>${linkHtml({ label: supportEmail, href: `mailto:${supportEmail}` })}</p>
</div>
</body></html>
`;
}

/** Characters of a preview that a list of mails shows at most. */
const MAX_PREVIEW = 150;

/** Hides a preview, which mail programs show in their list of mails in place of the greeting. */
function previewLine(preview: string): string {
  const line = [...preview.replace(/\s+/g, " ").trim()].slice(0, MAX_PREVIEW).join("");
  return line && `\n<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(line)}</div>`;
}

/** Shows the shop's logo above a mail; nothing without one. Its address is the same in every mail. */
function logoLine({ name, logo, url }: ShopSettings): string {
  if (logo === "") return "";
  const [shop, src] = [name, url + logoUrl(logo)].map(escapeHtml);
  return `\n<p><img src="${src}" alt="${shop}" height="40" style="height:40px;max-width:240px;object-fit:contain"></p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Bytes that a line of a mail may have (RFC 5322, 2.1.1). */
const MAX_LINE = 998;

/** Encodes a part: as it is, with the line ends of mail, or in base64 where a line is too long, such as by a name in CJK letters. */
function encoded(text: string): { encoding: "8bit" | "base64"; data: string } {
  const data = text.replaceAll("\n", "\r\n");
  if (text.split("\n").every((line) => Buffer.byteLength(line) <= MAX_LINE))
    return { encoding: "8bit", data };
  return { encoding: "base64", data: Buffer.from(data).toString("base64").replace(/.{76}/g, "$&\r\n") };
}
