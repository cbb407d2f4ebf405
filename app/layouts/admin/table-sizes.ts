import type { SectionPath } from "./sections";

export interface TableSize {
  columns: number;
  rows: number;
  maxHeight: 520 | 800;
}

/** Sizes of the tables by section, for their skeletons; the skeleton is there before the code that declares the columns. */
export const TABLES: Partial<Record<SectionPath, TableSize>> = {
  "/admin/inventory-management": { columns: 7, rows: 20, maxHeight: 800 },
  "/admin/invoices-management": { columns: 8, rows: 10, maxHeight: 520 },
  "/admin/expenses-management": { columns: 6, rows: 10, maxHeight: 520 },
  "/admin/customers": { columns: 8, rows: 10, maxHeight: 520 },
  "/admin/users-management": { columns: 7, rows: 10, maxHeight: 520 },
  "/admin/products-management": { columns: 7, rows: 10, maxHeight: 520 },
};
