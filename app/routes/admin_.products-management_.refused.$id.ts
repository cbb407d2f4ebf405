import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { rejectedRowsFile } from "~/features/catalogue/operations.server";
import { forPage } from "~/http/page.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  await requireStaff(context);
  return forPage(rejectedRowsFile(context, params.id ?? ""));
}
