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
import { FavouritesPage } from "~/features/favourites/FavouritesPage";
import { FAVOURITE_FORMS } from "~/features/favourites/operations.server";
import { favouritesPage } from "~/features/favourites/store.server";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { pageMeta } from "~/ui/site";
import { StatusRegion } from "~/ui/Toasts";
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

export async function clientAction({
  serverAction,
}: ClientActionFunctionArgs): Promise<{ failure?: string | null }> {
  try {
    return await serverAction<typeof action>();
  } catch {
    return { failure: "That didn't work. Please try again." };
  }
}

export default function Favourites() {
  const { cards, total, more } = useLoaderData<typeof loader>();
  const user = useRouteLoaderData<typeof shopLoader>("routes/_shop")?.user;
  const answer = useActionData<{ failure?: string | null }>();
  return (
    <>
      <StatusRegion message={answer?.failure} answer={answer} />
      <FavouritesPage cards={cards} total={total} more={more} isSignedIn={Boolean(user)} />
    </>
  );
}
