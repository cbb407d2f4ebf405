import { deleteExpense, updateExpense } from "~/features/ledger/operations/expenses.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: updateExpense, DELETE: deleteExpense });

export const loader = route.loader;
export const action = route.action;
