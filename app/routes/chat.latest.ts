import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { latestReadableChat } from "~/features/chat/pages.server";
import { pageResult } from "~/http/page.server";

/** Returns the id of the visitor's latest chat, null without one. */
export async function loader({ context }: LoaderFunctionArgs) {
  return json({ chatId: await pageResult(latestReadableChat(context)) });
}
