/** Module of the currency that tests are written in, from the root. */
export const TEST_CURRENCY = "tests/support/currency.ts";

// For what this process and its children build, seed and serve. scripts/local-shop.mjs reads it when it is loaded, so that
// this module is imported first.
process.env.CURRENCY_MODULE = TEST_CURRENCY;
