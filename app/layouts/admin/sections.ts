/** The eight sections of the back office, in menu order (back office 2), and the key that follows G to go there. */
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

/** The section at an address; `/admin/insights` is the dashboard too. */
export function sectionAt(pathname: string) {
  const path = pathname.replace(/\/+$/, "").replace(/^\/admin\/insights$/, "/admin");
  return ADMIN_SECTIONS.find((section) => section.path === path);
}
