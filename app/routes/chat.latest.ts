import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { continuedChat } from "~/features/conversation/pages.server";
import { pageResult } from "~/http/page.server";

/** Returns the id of the chat that the visitor continues, null without one. */
export async function loader({ context }: LoaderFunctionArgs) {
  return json({ chatId: await pageResult(continuedChat(context)) });
}
