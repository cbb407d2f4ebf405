import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { catalogueCsv } from "~/features/catalogue/operations.server";
import { parseProductListParams } from "~/features/product-admin/list-params";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return catalogueCsv(context, parseProductListParams(new URL(request.url).searchParams));
}
