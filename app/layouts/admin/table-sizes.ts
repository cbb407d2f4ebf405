import type { SectionPath } from "./sections";

export interface TableSize {
  rows: number;
  maxHeight: 520 | 800;
}

/** Sizes of the tables by section, for their skeletons. */
export const TABLES = {
  "/admin/inventory-management": { rows: 20, maxHeight: 800 },
  "/admin/invoices-management": { rows: 10, maxHeight: 520 },
  "/admin/expenses-management": { rows: 10, maxHeight: 520 },
  "/admin/customers": { rows: 10, maxHeight: 520 },
  "/admin/users-management": { rows: 10, maxHeight: 520 },
  "/admin/products-management": { rows: 10, maxHeight: 520 },
} satisfies Partial<Record<SectionPath, TableSize>>;

export type TablePath = keyof typeof TABLES;
