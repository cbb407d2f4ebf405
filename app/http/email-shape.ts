const MAILBOX = String.raw`[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]`;

/**
 * Text, an at sign, text, a dot, text (spec 5, support chat start): one at sign; no spaces, nothing that doesn't show,
 * and nothing that a mail's head would read otherwise. By itself, so that a browser can ask it without zod.
 */
export const EMAIL_SHAPE = new RegExp(
  `^${MAILBOX}+@(?:(?!\\.)${MAILBOX})+(?:\\.(?:(?!\\.)${MAILBOX})+)+$`,
  "u",
);
