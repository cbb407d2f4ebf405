import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { useEffect } from "react";
import { Console } from "~/features/console/Console";
import { networkFailureMessage } from "~/features/console/failures";
import { CONSOLE_FORMS, readConsole } from "~/features/console/page.server";
import { countUnread, useConsole } from "~/features/console/useConsole";
import { STAFF_CARD_FORMS } from "~/features/sales/cards/forms.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { adminTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";
import type { AdminOutlet } from "./admin";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: adminTitle("/admin/chat", { count: countUnread(data?.chats?.rows ?? []) }) },
  { name: "robots", content: "noindex" },
];

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readConsole));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, { ...CONSOLE_FORMS, ...STAFF_CARD_FORMS });
}

export const clientAction = retryingAction(networkFailureMessage);

export default function SupportChat() {
  const page = useLoaderData<typeof loader>();
  const { setUnread } = useOutletContext<AdminOutlet>();
  const live = useConsole(page);
  const { count, isMore } = live.unread;
  useEffect(() => setUnread({ count, isMore }), [count, isMore, setUnread]);
  return <Console page={page} live={live} />;
}
