/** Ranges with many bands, with ends within bands, and with few of the prices of many bands. */
const RANGES = [
  "min=50&max=100",
  "min=15&max=60",
  "min=51&max=89.5",
  "min=99.99&max=320",
  "min=40.99&max=40.99",
  "min=1&max=10",
  "max=1",
  "min=300",
];
const FILTERS = [
  ...["stock=in", "max=30", "min=25&max=50", "min=50", "min=12.5&max=30&stock=in"],
  ...RANGES.flatMap((range) => [range, `${range}&stock=in`]),
];
const SORTS = ["", "price-asc", "price-desc", "name-asc", "name-desc"];

/** Paths of the shop's first page by every filter, in every order, with and without a category. */
export const FILTERED_PAGES = SORTS.flatMap((sort) =>
  FILTERS.flatMap((filter) =>
    ["", "&category=JEWELRY"].map((category) => `/shop?${filter}${category}${sort && `&sort=${sort}`}`),
  ),
);
