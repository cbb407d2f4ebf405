import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseInvoiceListParams } from "~/features/ledger/list-params";
import { invoicesCsv } from "~/features/ledger/operations.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return invoicesCsv(context, parseInvoiceListParams(new URL(request.url).searchParams));
}
