import { escapeHtml, type Mail, mailLayout, salutation } from "~/http/mail.server";
import type { ShopSettings } from "~/http/shop-settings.server";

/** Builds the mail to a member of staff about a waiting visitor; the link opens the chat in the console. */
export function waitingMail(
  settings: ShopSettings,
  to: string,
  visitor: { userName: string; lastMessage: string },
  link: string,
): Mail {
  const title = `${visitor.userName} is waiting in the chat`;
  return {
    to,
    subject: title,
    text: `${visitor.userName} wrote, and nobody has answered yet:

${quoted(visitor.lastMessage)}

Answer here: ${link}

${settings.name}
`,
    html: mailLayout(
      settings,
      title,
      `<p>${escapeHtml(visitor.userName)} wrote, and nobody has answered yet:</p>\n${blockquote(visitor.lastMessage)}`,
      { label: "Answer in the console", href: link },
      "",
    ),
  };
}

/** Builds the mail with the seller's answers to a visitor who has left; the signed link opens the chat. */
export function answerMail(
  settings: ShopSettings,
  visitor: { userName: string; userEmail: string },
  answers: string[],
  link: string,
): Mail {
  const title = `${settings.name} has answered you`;
  return {
    to: visitor.userEmail,
    subject: title,
    text: `${salutation(visitor.userName)}

here is our answer:

${answers.map(quoted).join("\n\n")}

Go on with the chat: ${link}

The link opens your chat for two weeks; whoever has it can read and write there.

${settings.name}
${settings.supportEmail}
`,
    html: mailLayout(
      settings,
      title,
      `<p>${escapeHtml(salutation(visitor.userName))}</p>\n<p>here is our answer:</p>\n${answers.map(blockquote).join("\n")}`,
      { label: "Go on with the chat", href: link },
      "<p>The link opens your chat for two weeks; whoever has it can read and write there.</p>",
    ),
  };
}

function quoted(text: string): string {
  return wrapped(text).replace(/^/gm, "> ");
}

function blockquote(text: string): string {
  const html = escapeHtml(wrapped(text)).replaceAll("\n", "<br>\n");
  return `<blockquote style="margin:0 0 12px;padding:10px 14px;border-left:3px solid #0d5f3f;background:#fff">${html}</blockquote>`;
}

/** Wraps lines at 120 characters, since mail allows 998 bytes per line. */
function wrapped(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line.match(/.{1,120}(?=\s|$)|.{1,120}/gu) ?? []).map((part) => part.trim()).join("\n"))
    .join("\n")
    .trim();
}
