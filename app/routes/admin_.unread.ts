import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { unreadMessages } from "~/features/chat/operations/messages.server";
import { pageResult } from "~/http/page.server";

/** Returns the unread messages of the chats, for the badge of the back office. */
export async function loader({ context }: LoaderFunctionArgs) {
  return json(await pageResult(unreadMessages.execute(context, {})));
}
