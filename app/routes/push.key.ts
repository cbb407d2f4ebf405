import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { vapidKeys } from "~/features/push/operations.server";

/** Returns the key that browsers subscribe with; null when the shop sends no notifications. */
export async function loader({ context }: LoaderFunctionArgs) {
  return json({ publicKey: vapidKeys(context.env)?.publicKey ?? null });
}
