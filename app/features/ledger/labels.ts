/** Amounts and days in words, the same on screens and in what the server says. */
export { formatDay } from "~/ui/dates";
export { dollars } from "~/ui/money";
