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
import { LINK_FORMS } from "~/features/restock/forms.server";
import { readRestock } from "~/features/restock/operations.server";
import { type RestockChange, RestockPage } from "~/features/restock/RestockPage";
import { formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatCss }];

export const meta: MetaFunction = ({ matches }) => pageMeta({ title: "Mails", hidden: true }, matches);

/** Reads the link of a mail. */
function linkOf(url: string) {
  const { searchParams } = new URL(url);
  const [id = "", key = "", restock] = ["id", "key", "restock"].map(
    (name) => searchParams.get(name) ?? undefined,
  );
  return restock === undefined ? { id, key } : { restock, key };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const link = linkOf(request.url);
  if ("restock" in link) return json({ restock: await pageResult(readRestock.execute(context, link)) });
  return json({ mails: await pageResult(readMails.execute(context, link)) });
}

/** Without an intent, as mail programs post (RFC 8058), the mails are turned off. They follow no redirect. */
export async function action(args: ActionFunctionArgs) {
  const page = () => ({ page: {} });
  const params = linkOf(args.request.url);
  if ("restock" in params) return formAction({ ...args, params }, LINK_FORMS);
  return formAction(
    { ...args, params },
    { stop: intent(stopMails, { done: page }), start: intent(startMails, { done: page }) },
  );
}

export default function Unsubscribe() {
  const answer = useActionData<typeof action>();
  const data = useLoaderData<typeof loader>();
  const { change } = (answer && "page" in answer ? answer.page : {}) as { change?: RestockChange };
  return (
    <>
      <StatusRegion message={answer?.failure} answer={answer} />
      {"restock" in data ? (
        <RestockPage link={data.restock} change={change} />
      ) : (
        <MailsPage mails={data.mails} />
      )}
    </>
  );
}
