/** Page that says what a code is, and links it. */
export const CODES_PATH = "/admin/codes";
/** Page of labels. */
export const LABELS_PATH = "/admin/labels";

/** Builds the URL of a code's page. @param back page that it leads back to */
export const codeUrl = (code: string, back?: string): string =>
  `${CODES_PATH}?${new URLSearchParams({ code, ...(back && { back }) })}`;

/** Units of one sheet order. */
export const MAX_LABEL_UNITS = 100;

/** Builds the URL of the labels of products' units. */
export const labelsUrl = (productIds: string[]): string =>
  `${LABELS_PATH}?${new URLSearchParams(productIds.slice(0, MAX_LABEL_UNITS).map((id) => ["product", id]))}`;
