import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { referrerPath } from "~/http/redirects.server";

/** Any path that no other route knows: 404, within the shop. */
export async function loader({ request }: LoaderFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: 404 });
}

/** The same for a form that is sent there. */
export async function action({ request }: ActionFunctionArgs) {
  throw json({ back: referrerPath(request) }, { status: 404 });
}

export default function NotFound() {
  return null;
}
