import { json, type MetaFunction } from "@remix-run/cloudflare";
import { UnauthorizedPage } from "~/ui/ErrorPage";
import { pageMeta } from "~/ui/seo";

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Unauthorized Access", path: "/unauthorized", hidden: true }, matches);

/** The page says what its status says (contract: Pages and forms). */
export async function loader() {
  return json(null, { status: 401 });
}

export default UnauthorizedPage;
