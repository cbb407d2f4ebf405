import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import accountsCss from "~/features/accounts/accounts.css?url";
import { START_FORMS } from "~/features/conversation/forms.server";
import { startPage } from "~/features/conversation/pages.server";
import { AnswerNote, ChatList, StartForm, Welcome } from "~/features/conversation/StartPage";
import chatCss from "~/features/conversation/widget/chat.css?url";
import { MineTabs } from "~/features/sales/purchases/MineTabs";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: accountsCss },
  { rel: "stylesheet", href: chatCss },
];

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageMeta(
    {
      title: data?.isList ? "My conversations" : "Support Chat",
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
  const { note, chats, hasOlder, isList, answerer, ...start } = useLoaderData<typeof loader>();
  const { isOnline } = answerer;
  const isFirst = chats.length === 0 && !start.asked;
  const answer = useActionData<typeof action>();
  return (
    <div className="wrap chat-page">
      <StatusRegion message={answer?.failure} answer={answer} />
      <div className="list-head">
        <h1>{isList ? "My conversations" : "Support Chat"}</h1>
        {isList && (
          <Link className="btn btn-talk" to="/chat?new">
            <Icon name="message-circle" /> Ask something new
          </Link>
        )}
      </div>
      {isList && <MineTabs current="/chat" />}
      {note && <p className="soft">{note}</p>}
      {!isList && !isOnline && !isFirst && <AnswerNote answerer={answerer} />}
      {!isList && (
        <div className="chat-welcome">
          <StartForm {...start} greeting={isOnline ? start.greeting : ""} lastResult={answer?.lastResult} />
          {isFirst && <Welcome answerer={answerer} />}
        </div>
      )}
      {chats.length > 0 && !isList && <h2>My conversations</h2>}
      {chats.length > 0 && (
        <div className="chat-overview">
          <ChatList chats={chats} />
          {hasOlder && (
            <Link className="btn btn-line" to="/chat?all" preventScrollReset>
              Show older
            </Link>
          )}
          {isList && <AnswerNote answerer={answerer} />}
        </div>
      )}
    </div>
  );
}
