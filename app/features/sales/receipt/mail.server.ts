import { escapeHtml, type Mail, mailLayout, salutation } from "~/http/mail.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { formatDate } from "~/ui/dates";
import type { SaleDocument } from "../document";
import { receiptContent } from "./content";

/** Builds the mail with the signed link to a receipt. @param link its URL and the time it expires, epoch seconds */
export function receiptMail(
  settings: ShopSettings,
  to: string,
  document: SaleDocument,
  link: { url: string; expires: number },
): Mail {
  const { title, number, seller, total } = receiptContent(document, settings);
  const name = title.toLowerCase();
  const subject = `${title} ${number} from ${seller}`;
  const greeting = document.customerName ? salutation(document.customerName) : "Hello,";
  const day = formatDate(document.createdAt, settings.timezone);
  const sentence = `here is your ${name} of ${day}, ${number}: ${total.amount}.`;
  const note = `The link shows the ${name} until ${formatDate(link.expires, settings.timezone)}; whoever has it can read it.`;
  return {
    to,
    subject,
    text: `${greeting}

${sentence}

Read, print or save it: ${link.url}

${note}

${settings.name}
${settings.supportEmail}
`,
    html: mailLayout(
      settings,
      subject,
      [greeting, sentence].map((line) => `<p>${escapeHtml(line)}</p>`).join("\n"),
      { label: `Open the ${name}`, href: link.url },
      `<p>${escapeHtml(note)}</p>`,
    ),
  };
}
