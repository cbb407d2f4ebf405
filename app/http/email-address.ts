/** Characters that no host name contains: a URL ends the host there, or decodes them. */
const NO_HOST = /[\s/?#@\\:%<>[\]^|]/u;

/**
 * Normalises the domain of an e-mail address as mail servers compare it: compatibility forms folded (NFKC), lower case,
 * other scripts in punycode (IDNA).
 *
 * @returns null for an impossible host name
 */
function domainKey(domain: string): string | null {
  const folded = domain.normalize("NFKC").toLowerCase();
  if (NO_HOST.test(folded) || !URL.canParse(`http://${folded}`)) return null;
  const { hostname } = new URL(`http://${folded}`);
  // A URL reads numbers as an IPv4 address.
  return /^[\d.]+$/.test(hostname) ? folded : hostname;
}

/**
 * Derives the key by which e-mail addresses are compared: trimmed, the mailbox in NFC and lower case, the domain as mail
 * servers compare it.
 */
export function emailKey(address: string): string {
  const text = address
    .replace(/\p{Cf}/gu, "")
    .trim()
    .normalize("NFC")
    .toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = at < 0 ? null : domainKey(text.slice(at + 1));
  return domain === null ? text : `${text.slice(0, at)}@${domain}`;
}

/** Tests the part after the last at sign: can it be a host name? */
export function hasMailDomain(address: string): boolean {
  return domainKey(address.slice(address.lastIndexOf("@") + 1)) !== null;
}

const MAILBOX = String.raw`[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]`;

/**
 * Pattern of an e-mail address: text, one at sign, text, a dot, text; no spaces, no invisible characters and none that
 * have a meaning in mail headers. It needs no zod, so that the chat widget stays small.
 */
export const EMAIL_SHAPE = new RegExp(
  `^${MAILBOX}+@(?:(?!\\.)${MAILBOX})+(?:\\.(?:(?!\\.)${MAILBOX})+)+$`,
  "u",
);
