import { consoleUrl } from "~/features/chat/console-params";
import { drawerUrl, NEW_SALE_PATH } from "~/features/sales/urls";
import { WORDS_PATH } from "~/features/search-words/paths";
import { GROUP_TITLES, groupUrl, HOME, SALES, type SettingForm, SHOP } from "~/features/settings/groups";
import type { Hit } from "./hits";

/** Act or page of the back office that is found by its words. */
export interface Place extends Omit<Hit, "id"> {
  /** Words beside those of title and text. */
  words?: string;
  /** Least role that may open it; sellers by default. */
  role?: "manager" | "admin";
}

/** Acts that lead to a form. */
export const ACTS: Place[] = [
  {
    title: "Record sale",
    text: "At the counter",
    to: NEW_SALE_PATH,
    icon: "plus",
    words: "sell till checkout receipt",
  },
  {
    title: "Set aside",
    text: "Products for a customer",
    to: "/admin/sales/hold",
    icon: "package-check",
    words: "hold reserve",
  },
  {
    title: "Add expense",
    text: "With what it was for",
    to: "/admin/expenses-management?dialog=new",
    icon: "wallet",
    words: "new cost bill",
    role: "manager",
  },
  {
    title: "Add customer",
    text: "With name, email and phone",
    to: "/admin/customers?dialog=new",
    icon: "contact",
    words: "new person",
  },
  {
    title: "Add product",
    text: "With pictures and choices",
    to: "/admin/products-management?dialog=new",
    icon: "tag",
    words: "new article",
  },
  {
    title: "Upload products",
    text: "From a spreadsheet",
    to: "/admin/products-management?dialog=bulk-upload",
    icon: "upload",
    words: "import csv excel bulk move",
  },
  {
    title: "Print labels",
    text: "With prices and barcodes",
    to: "/admin/labels",
    icon: "printer",
    words: "stickers",
  },
  {
    title: "Count the drawer",
    text: "Open it, or close it by a count",
    to: drawerUrl(),
    icon: "banknote",
    words: "cash till float close open day",
  },
];

const labelsOf = ({ columns }: Pick<typeof SHOP, "columns">) =>
  columns.map(({ field }) => field.label).join(" ");

/** Groups of the settings that only managers open, each with what it says beside its title and words of its fields. */
const SETTINGS: Record<Exclude<SettingForm, "notifications">, Pick<Place, "text" | "words">> = {
  shop: {
    text: "Settings: name, logo, address, phone, e-mail, links",
    words: `${labelsOf(SHOP)} sign-in 2fa social sms`,
  },
  hours: { text: "Settings: opening hours and special days", words: "closed holidays times" },
  home: { text: "Settings: headline, hero and products", words: `${labelsOf(HOME)} homepage front featured` },
  sales: {
    text: "Settings: low stock, cash rounding, holds, quotes, receipts, tax",
    words: `${labelsOf(SALES)} returns hst vat registration`,
  },
  chat: {
    text: "Settings: messages, who answers, first questions",
    words: "welcome offline responses online",
  },
};

/** Pages of the back office, settings first. */
export const PAGES: Place[] = [
  ...Object.entries(SETTINGS).map(
    ([group, place]): Place => ({
      title: GROUP_TITLES[group as keyof typeof SETTINGS],
      to: groupUrl(group as keyof typeof SETTINGS),
      icon: "settings",
      role: "manager",
      ...place,
    }),
  ),
  {
    title: "Search",
    text: "Settings: words that mean the same",
    to: WORDS_PATH,
    icon: "settings",
    words: "synonyms searches found nothing",
    role: "manager",
  },
  { title: "Today", text: "What waits", to: "/admin/today", icon: "list-todo" },
  {
    title: "Dashboard",
    text: "Sales, expenses and profit",
    to: "/admin",
    icon: "layout-dashboard",
    words: "figures home",
    role: "manager",
  },
  {
    title: "Analytics",
    text: "Charts",
    to: "/admin/graphs",
    icon: "chart-line",
    words: "graphs",
    role: "manager",
  },
  {
    title: "Inventory",
    text: "Stock of every unit",
    to: "/admin/inventory-management",
    icon: "boxes",
    words: "low out",
  },
  {
    title: "Invoices",
    text: "Lines of the ledger",
    to: "/admin/invoices-management",
    icon: "receipt-text",
    words: "sales ledger",
    role: "manager",
  },
  {
    title: "Documents",
    text: "Receipts and credit notes",
    to: "/admin/documents",
    icon: "receipt-text",
    words: "invoices",
  },
  { title: "Holds", text: "What is set aside", to: "/admin/holds", icon: "package-check", words: "reserved" },
  {
    title: "Quotes",
    text: "Offers to customers",
    to: "/admin/quotes",
    icon: "file-text",
    words: "engraving jobs",
  },
  {
    title: "Expenses",
    text: "What the shop paid",
    to: "/admin/expenses-management",
    icon: "wallet",
    words: "costs",
    role: "manager",
  },
  {
    title: "Bookkeeping",
    text: "Profit, tax and closed months",
    to: "/admin/bookkeeping",
    icon: "scale",
    words: "close month accountant",
    role: "manager",
  },
  {
    title: "Tax registration",
    text: "Settings: number, name and rate",
    to: `${groupUrl("sales")}#tax`,
    icon: "settings",
    words: "hst vat",
    role: "manager",
  },
  { title: "Customers", text: "Who bought and who asked", to: "/admin/customers", icon: "contact" },
  {
    title: "Users",
    text: "Accounts and roles",
    to: "/admin/users-management",
    icon: "users",
    words: "staff colleagues managers",
    role: "manager",
  },
  {
    title: "Products",
    text: "The catalogue",
    to: "/admin/products-management",
    icon: "tag",
    words: "articles",
  },
  {
    title: "Support Chat",
    text: "Conversations",
    to: consoleUrl(),
    icon: "message-square-text",
    words: "console messages",
  },
  {
    title: "Quick responses",
    text: "Support Chat",
    to: consoleUrl({ tab: "responses" }),
    icon: "zap",
    words: "settings templates answers",
    role: "manager",
  },
  {
    title: "Notifications",
    text: "Of what you are told, and how",
    to: consoleUrl({ tab: "settings" }),
    icon: "bell",
    words: "settings push",
  },
  {
    title: "Integrations",
    text: "API keys and webhooks",
    to: "/admin/integrations",
    icon: "plug",
    words: "settings developers",
    role: "manager",
  },
  {
    title: "My account",
    text: "Name, password, own data",
    to: "/account",
    icon: "user-round",
    words: "settings profile",
  },
  {
    title: "Health",
    text: "Backups, nightly runs, errors",
    to: "/admin/health",
    icon: "activity",
    words: "problems",
    role: "admin",
  },
  {
    title: "Audit log",
    text: "Who changed what",
    to: "/admin/audit",
    icon: "scroll-text",
    words: "history",
    role: "admin",
  },
];
