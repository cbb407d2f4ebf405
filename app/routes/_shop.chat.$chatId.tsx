import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { WRITE_FORMS } from "~/features/chat/forms.server";
import { ChatPage, ClosedChat, ConfirmLink } from "~/features/conversation/ChatPage";
import { chatPage } from "~/features/conversation/pages.server";
import chatCss from "~/features/conversation/widget/chat.css?url";
import { VISITOR_CARD_FORMS } from "~/features/sales/cards/forms.server";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatCss }];

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Support Chat", hidden: true }, matches);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const page = await pageResult(chatPage(context, request, params.chatId ?? ""));
  return page ? json({ ...page, draft: crypto.randomUUID() }) : json(null, { status: 403 });
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, { ...WRITE_FORMS, ...VISITOR_CARD_FORMS });
}

export default function Chat() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (!page) return <ClosedChat />;
  if ("link" in page) return <ConfirmLink {...page.link} />;
  const { chat, ...content } = page;
  return (
    <div className="wrap chat-page">
      <StatusRegion message={answer?.failure} answer={answer} />
      <div className="list-head">
        <h1>Support Chat</h1>
        <Link className="link" to="/chat">
          My conversations
        </Link>
        <Link className="link" to="/chat?new">
          Start another chat
        </Link>
      </div>
      {(content.messages[0]?.seq ?? 1) > 1 && <p className="soft">Earlier messages are left out.</p>}
      <ChatPage key={chat.id} chat={chat} {...content} lastResult={answer?.lastResult} />
    </div>
  );
}
