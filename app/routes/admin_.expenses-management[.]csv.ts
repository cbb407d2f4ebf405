import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseExpenseListParams } from "~/features/ledger/list-params";
import { expensesCsv } from "~/features/ledger/operations.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return expensesCsv(context, parseExpenseListParams(new URL(request.url).searchParams));
}
