import PostalMime, { type Attachment, type Email } from "postal-mime";
import { htmlText, MAX_HTML, replyText, unquotedText } from "./mail-text";

// Reader of raw mails, loaded by the handler of mails alone.

/** Limits of a mail's structure. */
const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024 };
/** Characters of a plain part that are read. */
const MAX_TEXT = 200_000;
/** Characters of a mail that staff can read in full, of what is left of it for the message, and of its sender and subject. */
const MAX_FULL_TEXT = 100_000;
const MAX_REPLY = 20_000;
const MAX_HEADER = 1000;
/** Stands at the end of a mail that is longer than what is kept. */
const CUT = "\n\n… (The mail is longer. The rest was not kept: ask for it as a file.)";

/** Signatures and keys, which are of no use in a conversation. */
const SIGNATURE = /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys|pgp-encrypted)$/;
const ENCRYPTED = /^application\/(?:x-)?(?:pkcs7-mime|pgp-encrypted)$/;
const ENCRYPTED_TEXT = "-----BEGIN PGP MESSAGE-----";
/** Bytes below which a picture of the text is a signature's. */
const ICON_BYTES = 16 * 1024;

/** Mail as a conversation takes it. */
export interface ReadMail {
  /** "" without one. */
  messageId: string;
  sender: string;
  subject: string;
  /** Everything that was written, with quoted text. */
  fullText: string;
  /** The same without quoted text and signature; "" for nothing. */
  text: string;
  isEncrypted: boolean;
  attachments: MailAttachment[];
}

interface MailAttachment {
  /** As the sender named it. */
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** Reads a raw mail. @returns null for one that can't be read */
export async function readMail(raw: ArrayBuffer): Promise<ReadMail | null> {
  const options = { ...LIMITS, forceRfc822Attachments: true, attachmentEncoding: "arraybuffer" } as const;
  const mail = await PostalMime.parse(raw, options).catch(() => null);
  return mail && { ...headersOf(mail), ...textsOf(mail), ...attachmentsOf(mail) };
}

function headersOf({ messageId = "", from, subject = "" }: Email) {
  const sender = [from?.name, from?.address && `<${from.address}>`].filter(Boolean).join(" ");
  return { messageId, sender: cleaned(sender, MAX_HEADER), subject: cleaned(subject, MAX_HEADER) };
}

/** Takes the plain part, else the text of the HTML part; all of it where everything seems to be quoted, as in a forwarded mail. */
function textsOf({ text = "", html = "" }: Email) {
  const plain = text.slice(0, MAX_TEXT);
  const isPlain = plain.trim() !== "";
  const reply = isPlain ? plain : htmlText(html, true);
  const whole = isPlain ? plain : htmlText(html, false);
  const found = [replyText(reply), unquotedText(reply), whole];
  return {
    fullText: fullText(whole, (isPlain ? text : html).length > (isPlain ? MAX_TEXT : MAX_HTML)),
    text: found.map((each) => cleaned(each, MAX_REPLY)).find(Boolean) ?? "",
  };
}

/** Keeps a mail's text, and says where it is cut. @param isCut it was read in part */
function fullText(whole: string, isCut: boolean): string {
  const kept = cleaned(whole, MAX_FULL_TEXT);
  return isCut || kept.length === MAX_FULL_TEXT
    ? kept.slice(0, MAX_FULL_TEXT - CUT.length).toWellFormed() + CUT
    : kept;
}

function attachmentsOf({ attachments, text = "" }: Email) {
  const isEncrypted =
    text.trimStart().startsWith(ENCRYPTED_TEXT) ||
    attachments.some(({ mimeType }) => ENCRYPTED.test(mimeType));
  const isOfUse = (file: Attachment) => sizeOf(file) > 0 && !SIGNATURE.test(file.mimeType) && !isIcon(file);
  const files = attachments.filter(isOfUse);
  return { isEncrypted, attachments: isEncrypted ? [] : files.map(attachmentOf) };
}

function attachmentOf({ filename, mimeType, content }: Attachment): MailAttachment {
  // postal-mime returns bytes, as it was told to.
  return { name: filename || UNNAMED[mimeType] || "file", type: mimeType, bytes: content as ArrayBuffer };
}

/** Names of attachments that have none. */
const UNNAMED: Record<string, string> = { "text/calendar": "invitation.ics", "message/rfc822": "mail.eml" };

const sizeOf = ({ content }: Attachment) => (content as ArrayBuffer).byteLength;
const isIcon = (file: Attachment) => file.related === true && sizeOf(file) < ICON_BYTES;

/** Tokens of Reply-To and keys of links, which open the conversation: a quoted mail of the shop has them. */
const SECRETS: [RegExp, string][] = [
  [/chat\+[\da-f]{40}@/gi, "chat@"],
  [/\bkey=[\w.%-]{20,}/gi, "key=…"],
];

/** Removes characters that are not allowed, and secrets, and shortens. */
function cleaned(text: string, max: number): string {
  const known = SECRETS.reduce((rest, [secret, shown]) => rest.replace(secret, shown), text);
  const allowed = known
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
  return allowed.trim().slice(0, max).toWellFormed();
}
