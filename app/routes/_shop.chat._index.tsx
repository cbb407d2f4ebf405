import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ChatList } from "~/features/chat/ChatList";
import { START_FORMS } from "~/features/chat/forms.server";
import { startPage } from "~/features/chat/pages.server";
import { StartForm } from "~/features/chat/StartForm";
import chatCss from "~/features/chat/widget/chat.css?url";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { pageMeta } from "~/ui/site";
import { StatusRegion } from "~/ui/Toasts";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    {
      title: "Support Chat",
      description: "Ask us about anything in the shop.",
      path: "/chat",
      hidden: true,
    },
    matches,
  );

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await pageResult(startPage(context, request)));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, START_FORMS);
}

export default function SupportChat() {
  const { note, chats, ...start } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="wrap chat-page">
      <StatusRegion message={answer?.failure} answer={answer} />
      <h1>Support Chat</h1>
      {note && <p className="soft">{note}</p>}
      <StartForm {...start} lastResult={answer?.lastResult} />
      <ChatList chats={chats} />
    </div>
  );
}
