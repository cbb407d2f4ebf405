import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { rejectedRowsFile, rejectedRowsOfPlan } from "~/features/product-import/operations.server";
import { apiRoute } from "~/http/api-route.server";
import { adminPage } from "~/http/page.server";

const rowsOfPlan = apiRoute({ POST: rejectedRowsOfPlan });

/** Downloads the rejected rows of an import; without an id the path takes POST alone. */
export async function loader(args: LoaderFunctionArgs) {
  return args.params.id ? adminPage(args, rejectedRowsFile) : rowsOfPlan.loader(args);
}

/** Returns the rejected rows of a plan as a file. */
export const action = rowsOfPlan.action;
