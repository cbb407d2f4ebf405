/** Headings of the page of the API, by the first segment of the routes. */
export const HEADINGS: Record<string, string> = {
  auth: "Sign-in",
  product: "Products",
  storage: "Pictures",
  user: "Users",
  invoice: "Sales entries",
  expense: "Expenses",
  sale: "Sales",
  closing: "Closed months",
  drawer: "Cash drawer",
  hold: "Holds",
  quote: "Quotes",
  customer: "Customers",
  chat: "Conversations",
  push: "Notifications",
  favourite: "Favourites",
  today: "Today",
  search: "Find anything",
  settings: "Settings",
  shop: "Shop",
  webhook: "Webhooks",
};

/** Rules of API keys, which the page of the API shows too. */
export const KEYS =
  "API key of a member of staff, made in the back office under Integrations. It acts as its owner, with the scope read only in GET, changes no accounts, and is sent in this header alone: a key in the URL is refused. 600 calls a minute.";
