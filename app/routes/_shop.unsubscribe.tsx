import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readMails, startMails, stopMails } from "~/features/chat/operations/unsubscribe.server";
import { MailsPage } from "~/features/conversation/MailsPage";
import chatCss from "~/features/conversation/widget/chat.css?url";
import { formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: "Mails of this conversation", hidden: true }, matches);

/** Reads the link of a mail. */
function linkOf(url: string) {
  const { searchParams } = new URL(url);
  return { id: searchParams.get("id") ?? "", key: searchParams.get("key") ?? "" };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json({ mails: await pageResult(readMails.execute(context, linkOf(request.url))) });
}

/** Without an intent, as mail programs post (RFC 8058), the mails are turned off. They follow no redirect. */
export async function action(args: ActionFunctionArgs) {
  const page = () => ({ page: {} });
  return formAction(
    { ...args, params: linkOf(args.request.url) },
    { stop: intent(stopMails, { done: page }), start: intent(startMails, { done: page }) },
  );
}

export default function Unsubscribe() {
  const answer = useActionData<typeof action>();
  return (
    <>
      <StatusRegion message={answer?.failure} answer={answer} />
      <MailsPage {...useLoaderData<typeof loader>()} />
    </>
  );
}
