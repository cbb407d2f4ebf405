import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { START_FORMS } from "~/features/chat/forms.server";
import { chatToResume } from "~/features/chat/pages.server";
import { StartForm } from "~/features/chat/StartForm";
import { formAction } from "~/http/form-action.server";
import { forPage } from "~/http/page.server";
import chatCss from "~/styles/chat.css?url";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/seo";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    { title: "Support Chat", description: "Ask us about anything in the shop.", path: "/chat" },
    matches,
  );

/** Leads to the reader's latest chat; `?new` begins another, `?ended` too: the seller deleted the one before. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const asked = new URL(request.url).searchParams;
  const hasEnded = asked.has("ended");
  const chatId = hasEnded || asked.has("new") ? null : await forPage(chatToResume(context));
  if (chatId) throw redirect(`/chat/${chatId}`);
  return json({ hasEnded });
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, START_FORMS);
}

export default function SupportChat() {
  const { hasEnded } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="wrap chat-page">
      <StatusRegion message={answer?.failure} answer={answer} />
      <h1>Support Chat</h1>
      {hasEnded && <p className="soft">That chat has ended. You can start a new one.</p>}
      <StartForm lastResult={answer?.lastResult} />
    </div>
  );
}
