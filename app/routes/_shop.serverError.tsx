import { json, type MetaFunction } from "@remix-run/cloudflare";
import { ServerErrorPage } from "~/ui/ErrorPage";
import { pageMeta } from "~/ui/site";

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Internal Server Error", hidden: true }, matches);

/** Responds with the status that the page reports. */
export async function loader() {
  return json(null, { status: 500 });
}

export default function ServerError() {
  return <ServerErrorPage retry="/serverError" />;
}
