import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { stockCsv } from "~/features/catalogue/stock/csv.server";
import { readStockPlace } from "~/features/catalogue/stock/place";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return stockCsv(context, readStockPlace(new URL(request.url).searchParams));
}
