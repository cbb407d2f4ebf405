import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { catalogueCsv } from "~/features/catalogue/operations.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return catalogueCsv(context);
}
