import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readChatCart } from "~/features/chat/pages.server";
import { forPage } from "~/http/page.server";

/** Returns the cart that a chat began with, to its participants. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  return json({ cart: await forPage(readChatCart(context, params.chatId ?? "")) });
}
