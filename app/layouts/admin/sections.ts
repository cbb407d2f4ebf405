/** Sections of the back office in menu order; `letter` is the shortcut after G. */
export const ADMIN_SECTIONS = [
  { path: "/admin", title: "Dashboard", letter: "d", icon: "layout-dashboard" },
  { path: "/admin/graphs", title: "Analytics", letter: "a", icon: "chart-line" },
  { path: "/admin/inventory-management", title: "Inventory", letter: "n", icon: "boxes" },
  { path: "/admin/invoices-management", title: "Invoices", letter: "i", icon: "receipt-text" },
  { path: "/admin/expenses-management", title: "Expenses", letter: "e", icon: "wallet" },
  { path: "/admin/bookkeeping", title: "Bookkeeping", letter: "b", icon: "scale" },
  { path: "/admin/users-management", title: "Users", letter: "u", icon: "users" },
  { path: "/admin/products-management", title: "Products", letter: "p", icon: "tag" },
  { path: "/admin/chat", title: "Support Chat", letter: "c", icon: "message-square-text" },
] as const;

export type SectionPath = (typeof ADMIN_SECTIONS)[number]["path"];

/** Finds the section of a path; `/admin/insights` is an alias of the dashboard, pages of sales belong to Invoices. */
export function sectionAt(pathname: string) {
  const path = pathname
    .replace(/\/+$/, "")
    .replace(/^\/admin\/insights$/, "/admin")
    .replace(/^\/admin\/sales\/.+$/, "/admin/invoices-management");
  return ADMIN_SECTIONS.find((section) => section.path === path);
}

/** Builds the tab's title of a section, with the number of unread messages. */
export function adminTitle(pathname: string, unread: number): string {
  return `${unread > 0 ? `(${unread}) ` : ""}${sectionAt(pathname)?.title ?? "Back office"} · Emporia back office`;
}
