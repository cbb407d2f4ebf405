/** Returns the path of the logo's picture. @param logo its key */
export const logoUrl = (logo: string): string => `/api/storage/object?key=${encodeURIComponent(logo)}`;
