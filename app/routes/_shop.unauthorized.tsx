import { json, type MetaFunction } from "@remix-run/cloudflare";
import { UnauthorizedPage } from "~/ui/ErrorPage";
import { pageMeta } from "~/ui/site";

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Unauthorized Access", hidden: true }, matches);

/** Responds with the status that the page reports. */
export async function loader() {
  return json(null, { status: 401 });
}

export default UnauthorizedPage;
