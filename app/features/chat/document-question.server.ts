/** Document that a question is about, as it is named in an address: `receipt E-2026-000124`. */
const DOCUMENT = /^(?:receipt|credit note|deposit|deposit paid back) [\w-]{1,40}$/;

/** Returns the parameter of a page that asks about a document. @param title such as `Receipt` */
export const documentParams = ({ title, number }: { title: string; number: string }): URLSearchParams =>
  new URLSearchParams({ document: `${title.toLowerCase()} ${number}` });

/** Selects the document of an address; none for other words, which a foreign link could write. */
export function documentIn(params: URLSearchParams): { document?: string } {
  const document = params.get("document");
  return document && DOCUMENT.test(document) ? { document } : {};
}

/** Returns the first words of a question about the document of an address; "" without one. */
export function openingIn(params: URLSearchParams): string {
  const { document } = documentIn(params);
  return document ? `About ${document}: ` : "";
}
