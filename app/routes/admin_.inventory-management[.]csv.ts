import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { stockCsv } from "~/features/inventory/csv.server";
import { parseStockListParams } from "~/features/inventory/list-params";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return stockCsv(context, parseStockListParams(new URL(request.url).searchParams));
}
