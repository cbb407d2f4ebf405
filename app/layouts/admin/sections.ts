import { parseScope, scopeSearch } from "~/domain/periods";
import type { StaffRole } from "~/domain/staff-role";
import { type Unread, unreadLabel } from "~/ui/UnreadCount";

/** Sections of the back office in menu order; `letter` is the shortcut after G. Sellers have those `forSellers`. */
const ADMIN_SECTIONS = [
  { path: "/admin/today", title: "Today", letter: "t", icon: "list-todo", forSellers: true },
  { path: "/admin", title: "Dashboard", letter: "d", icon: "layout-dashboard" },
  { path: "/admin/graphs", title: "Analytics", letter: "a", icon: "chart-line" },
  { path: "/admin/inventory-management", title: "Inventory", letter: "n", icon: "boxes", forSellers: true },
  {
    path: "/admin/invoices-management",
    title: "Invoices",
    letter: "i",
    icon: "receipt-text",
    forSellers: true,
  },
  { path: "/admin/expenses-management", title: "Expenses", letter: "e", icon: "wallet" },
  { path: "/admin/bookkeeping", title: "Bookkeeping", letter: "b", icon: "scale" },
  { path: "/admin/customers", title: "Customers", letter: "k", icon: "contact", forSellers: true },
  { path: "/admin/users-management", title: "Users", letter: "u", icon: "users" },
  { path: "/admin/products-management", title: "Products", letter: "p", icon: "tag", forSellers: true },
  { path: "/admin/chat", title: "Support Chat", letter: "c", icon: "message-square-text", forSellers: true },
  { path: "/admin/settings", title: "Settings", letter: "s", icon: "settings" },
  { path: "/admin/integrations", title: "Integrations", letter: "w", icon: "plug" },
  { path: "/admin/health", title: "Health", letter: "h", icon: "activity", adminsOnly: true },
  { path: "/admin/audit", title: "Audit log", letter: "l", icon: "scroll-text", adminsOnly: true },
] as const;

/** Section of the invoices as sellers see it: documents, without the lines of the books. */
const SALES = { path: "/admin/invoices-management", to: "/admin/documents", title: "Sales" } as const;

type SectionTarget = SectionPath | (typeof SALES)["to"];

/** Lists the sections that a member of staff may open, each with the page that its link leads to. */
export function sectionsOf(role: StaffRole) {
  return ADMIN_SECTIONS.filter((section) => isOpenTo(role, section)).map(({ path, title, letter, icon }) => {
    const isSales = role === "seller" && path === SALES.path;
    const to: SectionTarget = isSales ? SALES.to : path;
    return { path, to, title: isSales ? SALES.title : title, letter, icon };
  });
}

function isOpenTo(role: StaffRole, section: (typeof ADMIN_SECTIONS)[number]): boolean {
  if (role === "seller") return "forSellers" in section;
  return role === "admin" || !("adminsOnly" in section);
}

export type SectionPath = (typeof ADMIN_SECTIONS)[number]["path"];

/** Pages of a section below or beside its path. */
const SUBPAGES: [path: RegExp, section: SectionPath][] = [
  [/^\/admin\/insights$/, "/admin"],
  [/^\/admin\/(?:documents|sales|holds|quotes)(?:\/|$)/, "/admin/invoices-management"],
  [/^\/admin\/(?:labels|codes)$/, "/admin/inventory-management"],
  [/^\/admin\/products-management\/runs(?:\/|$)/, "/admin/products-management"],
  [/^\/admin\/(?:customers\/|personal-data$)/, "/admin/customers"],
];

/** Finds the section of a path, as admins see it. */
export function sectionAt(pathname: string) {
  // Routes match in any case.
  const path = pathname.replace(/\/+$/, "").toLowerCase();
  const section = SUBPAGES.find(([pattern]) => pattern.test(path))?.[1] ?? path;
  return ADMIN_SECTIONS.find((each) => each.path === section);
}

/** Finds the section that a page belongs to: that of the first page above it, which may be another than its path's. */
export function sectionOf(pathname: string, heading?: PageHeading) {
  const above = heading?.trail?.[0]?.to.split("?", 1)[0];
  return (above && sectionAt(above)) || sectionAt(pathname);
}

/** Sections whose figures have one business and period. */
const REPORTS: readonly string[] = ["/admin", "/admin/graphs", "/admin/bookkeeping"] satisfies SectionPath[];

/** Builds the address of a section; between reports the chosen business and period stay. @param search of the page */
export function sectionUrl(
  path: SectionPath | (typeof SALES)["to"],
  current: string | undefined,
  search: string,
): string {
  if (!REPORTS.includes(path) || !REPORTS.includes(current ?? "")) return path;
  return path + scopeSearch(parseScope(new URLSearchParams(search)));
}

/** Heading of a page below a section, in its loader's data as `heading`. */
export interface PageHeading {
  title: string;
  /** Pages above it; missing for a section. */
  trail?: { to: string; title: string }[];
  /** Line below the title of a section. */
  text?: string;
}

/** Builds the meta of a page below a section. */
export const pageTitle = (title = "Back office") => [
  { title: `${title} · Emporia back office` },
  { name: "robots", content: "noindex" },
];

/** Returns what the number of unread messages puts before a title. */
export const unreadPrefix = (unread: Unread) => (unread.count > 0 ? `(${unreadLabel(unread)}) ` : "");

/** Returns the title of the section of a path, as the menu of a role has it. */
export function sectionTitle(pathname: string, role?: StaffRole): string {
  const section = sectionAt(pathname);
  if (section?.path === SALES.path && role === "seller") return SALES.title;
  return section?.title ?? "Back office";
}

/** Builds the tab's title of a section, with the number of unread messages. */
export const adminTitle = (pathname: string, unread: Unread, role?: StaffRole): string =>
  `${unreadPrefix(unread)}${sectionTitle(pathname, role)} · Emporia back office`;
