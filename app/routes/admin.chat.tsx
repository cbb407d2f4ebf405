import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { useEffect } from "react";
import { Console } from "~/features/chat/console/Console";
import { unreadIn } from "~/features/chat/console/chat-list";
import { CONSOLE_FORMS } from "~/features/chat/console/forms.server";
import { consolePage } from "~/features/chat/console/page.server";
import { unsentInWords } from "~/features/chat/console/rejected-form";
import { useConsole } from "~/features/chat/console/useConsole";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { retryingAction } from "~/ui/retrying-action";
import type { AdminOutlet } from "./admin";

export { shouldRevalidate } from "~/ui/retrying-action";

/** The tab's title, with how many messages wait. */
const title = (unread: number) => `${unread > 0 ? `(${unread}) ` : ""}Support Chat · Emporia back office`;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: title(unreadIn(data?.chats?.rows ?? [])) },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await consolePage(context));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, CONSOLE_FORMS);
}

export const clientAction = retryingAction(unsentInWords);

export default function SupportChat() {
  const page = useLoaderData<typeof loader>();
  const { setUnread } = useOutletContext<AdminOutlet>();
  const live = useConsole(page.chats?.rows ?? null, page.history?.chat.id ?? null);
  useTold(live.unread, page, setUnread);
  return <Console page={page} live={live} />;
}

/** Tells tab and shell how many messages wait. */
function useTold(unread: number, page: unknown, setUnread: (unread: number) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told anew when the page was loaded anew
  useEffect(() => {
    document.title = title(unread);
    setUnread(unread);
  }, [unread, page]);
}
