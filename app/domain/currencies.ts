import { CURRENCY, CURRENCY_SHORT_NAME } from "~/domain/currency";

// Writings of currencies, as patterns: amounts that are imported or searched for may name any, whatever the shop sells in.

/** Codes, which are no words of English, German or French in any case. */
export const CURRENCY_CODES = `USD|CAD|EUR|GBP|AUD|NZD|CHF|JPY|CNY|INR|MXN|BRL|SEK|NOK|DKK|PLN|CZK|HUF|RON|ZAR|SGD|HKD|KRW|TRY|ILS|AED|THB|${CURRENCY}`;

/** Signs and names of letters. */
export const CURRENCY_NAMES = String.raw`rs\.?|kr\.?|K\u010d|z\u0142|Ft|\u0440\u0443\u0431\.?|(?:\p{L}+ )?dollars?|euros?|francs?|pounds?`;

/** Letters of countries before a dollar sign. */
export const DOLLAR_COUNTRIES = "US|CA|CAN|CDN|AU|NZ|HK|SG|NT|MX|A|C|R|S";

/** Names as people say them, and codes, in a search. */
export const SAID_NAMES = `dollars?|bucks|euros?|quid|${CURRENCY_SHORT_NAME.replace(/s$/, "s?")}`;
export const SAID_CODES = `cad|usd|eur|gbp|${CURRENCY}`;
/** Signs in a search; no raw text, whose characters a build can't escape (docs/decisions/0040-ascii-server-build.md). */
export const SAID_SIGNS = "(?:c(?:ad?)?|us|au)?\\$|[€£¥]";
