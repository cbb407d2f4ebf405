import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readChatCart } from "~/features/conversation/pages.server";
import { pageResult } from "~/http/page.server";

/** Returns the cart that a chat began with, to its participants. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  return json({ cart: await pageResult(readChatCart(context, params.chatId ?? "")) });
}
