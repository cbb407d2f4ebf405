/** Sections of the back office in menu order; `letter` is the shortcut after G. */
export const ADMIN_SECTIONS = [
  { path: "/admin", title: "Dashboard", letter: "d" },
  { path: "/admin/graphs", title: "Analytics", letter: "a" },
  { path: "/admin/inventory-management", title: "Inventory", letter: "n" },
  { path: "/admin/invoices-management", title: "Invoices", letter: "i" },
  { path: "/admin/expenses-management", title: "Expenses", letter: "e" },
  { path: "/admin/users-management", title: "Users", letter: "u" },
  { path: "/admin/products-management", title: "Products", letter: "p" },
  { path: "/admin/chat", title: "Support Chat", letter: "c" },
] as const;

export type SectionPath = (typeof ADMIN_SECTIONS)[number]["path"];

/** Finds the section of a path; `/admin/insights` is an alias of the dashboard. */
export function sectionAt(pathname: string) {
  const path = pathname.replace(/\/+$/, "").replace(/^\/admin\/insights$/, "/admin");
  return ADMIN_SECTIONS.find((section) => section.path === path);
}
