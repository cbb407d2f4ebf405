/** Characters that no host name has: a URL reads each as the end of the host, or decodes it. */
const NO_HOST = /[\s/?#@\\:%<>[\]^|]/u;

/**
 * Domain of an e-mail address as mail servers compare it: compatibility forms folded (NFKC), lower case, other scripts
 * in punycode (IDNA).
 *
 * @returns null when no host can have this name
 */
function domainKey(domain: string): string | null {
  const folded = domain.normalize("NFKC").toLowerCase();
  if (NO_HOST.test(folded) || !URL.canParse(`http://${folded}`)) return null;
  const { hostname } = new URL(`http://${folded}`);
  // A URL reads numbers as an IPv4 address.
  return /^[\d.]+$/.test(hostname) ? folded : hostname;
}

/**
 * Key by which e-mail addresses are compared: trimmed, the mailbox in NFC and lower case, the domain as mail servers
 * compare it.
 */
export function emailKey(address: string): string {
  const text = address.trim().normalize("NFC").toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = at < 0 ? null : domainKey(text.slice(at + 1));
  return domain === null ? text : `${text.slice(0, at)}@${domain}`;
}

/** Decides whether the part after the last at sign can be a host's name. */
export function hasMailDomain(address: string): boolean {
  return domainKey(address.slice(address.lastIndexOf("@") + 1)) !== null;
}

const MAILBOX = String.raw`[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]`;

/**
 * Text, an at sign, text, a dot, text (spec 5, support chat start): one at sign; no spaces, nothing that doesn't show,
 * and nothing that a mail's head would read otherwise. By itself, so that a browser can ask it without zod.
 */
export const EMAIL_SHAPE = new RegExp(
  `^${MAILBOX}+@(?:(?!\\.)${MAILBOX})+(?:\\.(?:(?!\\.)${MAILBOX})+)+$`,
  "u",
);
