import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { referrerPath } from "~/http/redirects.server";

/** Responds with 404 to unknown paths. */
export async function loader({ request }: LoaderFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: 404 });
}

/** Responds with 404 to forms sent to unknown paths. */
export async function action({ request }: ActionFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: 404 });
}

export default function NotFound() {
  return null;
}
