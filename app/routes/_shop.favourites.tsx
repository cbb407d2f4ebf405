import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  type ClientActionFunctionArgs,
  useActionData,
  useLoaderData,
  useRouteLoaderData,
} from "@remix-run/react";
import listCss from "~/features/catalogue/list.css?url";
import { favouriteFetcher } from "~/features/favourites/FavouriteButton";
import { FavouritesPage } from "~/features/favourites/FavouritesPage";
import { FAVOURITE_FORMS } from "~/features/favourites/operations.server";
import { favouritesPage } from "~/features/favourites/store.server";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { forgetForm } from "~/ui/kept-forms";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/site";
import type { loader as shopLoader } from "./_shop";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: listCss }];

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Favourites", hidden: true }, matches);

export async function loader({ context }: LoaderFunctionArgs) {
  return json(await pageResult(favouritesPage(context)));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, FAVOURITE_FORMS);
}

/** Milliseconds for which a form that failed stays kept: leaving the page may be what cut its request off. */
const LEAVING_MS = 500;

export async function clientAction({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<{ failure?: string | null }> {
  const form = await request.clone().formData();
  const forget = () => {
    // A newer form has replaced the one whose request it ended.
    if (!request.signal.aborted) forgetForm(favouriteFetcher(String(form.get("productId"))));
  };
  try {
    const answer = await serverAction<typeof action>();
    forget();
    return answer;
  } catch {
    setTimeout(forget, LEAVING_MS);
    return { failure: "That didn't work. Please try again." };
  }
}

export default function Favourites() {
  const { cards, hidden, total, more } = useLoaderData<typeof loader>();
  const user = useRouteLoaderData<typeof shopLoader>("routes/_shop")?.user;
  const answer = useActionData<{ failure?: string | null }>();
  return (
    <>
      <StatusRegion message={answer?.failure} answer={answer} />
      <FavouritesPage {...{ cards, hidden, total, more }} isSignedIn={Boolean(user)} />
    </>
  );
}
