/** Reserved domains (RFC 2606, RFC 6761), and that of docs/operations.md. */
const PLACEHOLDER =
  /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org)|your-domain\.com)\.?$/i;

/** Tests for a domain that stands in for a real one: it serves no shop and sends no mail. */
export const isPlaceholderDomain = (domain: string): boolean => PLACEHOLDER.test(domain);
