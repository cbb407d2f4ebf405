/** Text, an at sign, text, a dot, text (spec 5, support chat start); no spaces, one at sign. */
export const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
