/** Lines of a sale, a hold or a quote. */
export const MAX_LINES = 100;
/** Products that the search for a line finds. */
export const MAX_FOUND = 6;
