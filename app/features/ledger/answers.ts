import { z } from "zod";
import { EXPENSE_TYPES } from "~/domain/enums";
import { FileCard } from "~/features/storage/file-card";
import { Dollars, Id, Time } from "~/http/answers";
import { EXPENSE } from "./expense";
import { INVOICE } from "./invoice";
import { SALE_FIGURES } from "./views";

export const Invoice = z.object({ id: Id, ...INVOICE.answers, createdAt: Time }).meta({ id: "Invoice" });

export const Expense = z
  .object({
    id: Id,
    ...EXPENSE.answers,
    createdAt: Time,
    files: z.array(FileCard).optional().meta({ description: "Missing without any" }),
  })
  .meta({ id: "Expense" });

const named = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, Dollars])));

const month = z.object({ month: z.int().min(1).max(12), amount: Dollars });

export const Months = z.array(month);

export const Categories = z.array(z.object({ category: z.string(), amount: Dollars }));

export const SaleFigures = z.object({ totalSales: named(SALE_FIGURES) });

const expenses = named(["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())]);

export const ExpenseFigures = z.object({
  totalExpenses: z.object({ totalAmount: Dollars, emporia: expenses, laser: expenses }),
});
