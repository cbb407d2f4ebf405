/** Pages of the catalogue. */
export const CATALOGUE_PAGES = [
  "/",
  "/shop",
  "/shop?category=ENGRAVING&min=18&max=60&stock=in",
  "/shop?search=zzzzqq",
  "/products/walnut-serving-board",
  "/products/nope",
];
/** The other pages that anyone can open. */
export const OTHER_PAGES = [
  "/favourites",
  "/cart",
  "/chat",
  "/login",
  "/signup",
  "/resetPassword",
  "/account",
  "/terms",
  "/api",
  "/privacy",
  "/unauthorized",
  "/serverError",
  "/nowhere",
];
