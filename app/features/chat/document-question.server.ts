import { dollars } from "~/domain/money";

/** Subject of a question, as an address names it: `receipt E-2026-000124`, `the quote of $92.00`. */
const SUBJECT =
  /^(?:(?:receipt|credit note|deposit|deposit paid back) [\w-]{1,40}|the quote of [^\w\s]{0,3}[\d.,]{1,16}|what is set aside)$/;

/** Returns the parameter of a page that asks about a document. @param title such as `Receipt` */
export const documentParams = ({ title, number }: { title: string; number: string }): URLSearchParams =>
  new URLSearchParams({ document: `${title.toLowerCase()} ${number}` });

/** Returns the parameter of a page that asks about a quote. */
export const quoteParams = (totalCents: number): URLSearchParams =>
  new URLSearchParams({ document: `the quote of ${dollars(totalCents)}` });

/** Returns the parameter of a page that asks about a hold. */
export const holdParams = (): URLSearchParams => new URLSearchParams({ document: "what is set aside" });

/** Selects the subject of an address; none for other words, which a foreign link could write. */
export function documentIn(params: URLSearchParams): { document?: string } {
  const document = params.get("document");
  return document && SUBJECT.test(document) ? { document } : {};
}

/** Returns the first words of a question about the subject of an address; "" without one. */
export function openingIn(params: URLSearchParams): string {
  const { document } = documentIn(params);
  return document ? `About ${document}: ` : "";
}
