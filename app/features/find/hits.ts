/** Kinds of what is found, in the order of their groups. */
export const KINDS = ["acts", "products", "customers", "documents", "chats", "expenses", "pages"] as const;
export type Kind = (typeof KINDS)[number];

export const GROUP_TITLES: Record<Kind, string> = {
  acts: "Acts",
  products: "Products",
  customers: "Customers",
  documents: "Documents",
  chats: "Chats",
  expenses: "Expenses",
  pages: "Settings and pages",
};

/** Thing that was found. */
export interface Hit {
  id: string;
  title: string;
  text: string;
  /** Page that it leads to; of an act without one, the page with its form. */
  to: string;
  /** Form of an act that is done at once. */
  form?: { intent: string; isOnline: boolean };
  icon: string;
  /** Picture in place of the icon. */
  image?: string;
  /** Amount in cents, or a time. */
  cents?: number;
  time?: string;
}

/** Hits of one kind; there is no empty group. */
export interface Group {
  kind: Kind;
  hits: Hit[];
  /** List of all of them, where there are more. */
  more: string | null;
}

/** Answer to a search. */
export interface Found {
  q: string;
  groups: Group[];
  /** Error message of a search that was not answered. */
  failure: string | null;
}

export const FIND_PATH = "/admin/search";
/** Longest text that is searched for. */
export const MAX_FIND = 100;

export const findUrl = (q: string): string => (q ? `${FIND_PATH}?${new URLSearchParams({ q })}` : FIND_PATH);
