import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expensesCsv } from "~/features/ledger/operations.server";
import { readExpensePlace } from "~/features/ledger/place";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return expensesCsv(context, readExpensePlace(new URL(request.url).searchParams));
}
