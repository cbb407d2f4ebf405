import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { referrerPath } from "~/http/page.server";

/** Statuses of the error pages that have paths of their own; all others are unknown. */
const STATUSES = new Map([
  ["unauthorized", 401],
  ["serverError", 500],
  ["internal_server", 500],
]);

/** Responds with an error page and its status: 404 for unknown paths. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: STATUSES.get(params["*"] ?? "") ?? 404 });
}

/** Responds with 404 to forms sent to unknown paths. */
export async function action({ request }: ActionFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: 404 });
}

export default function NoPage() {
  return null;
}
