/** The eight sections of the back office, in menu order (back office 2). `/admin/insights` is the dashboard too. */
export const ADMIN_SECTIONS = [
  { path: "/admin", title: "Dashboard" },
  { path: "/admin/graphs", title: "Analytics" },
  { path: "/admin/inventory-management", title: "Inventory" },
  { path: "/admin/invoices-management", title: "Invoices" },
  { path: "/admin/expenses-management", title: "Expenses" },
  { path: "/admin/users-management", title: "Users" },
  { path: "/admin/products-management", title: "Products" },
  { path: "/admin/chat", title: "Support Chat" },
] as const;
