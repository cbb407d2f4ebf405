import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicMeta } from "~/features/catalogue/public-meta";
import { HowPage } from "~/features/home/HowPage";
import { howPage } from "~/features/home/how.server";
import { type PageHandle, pageResult } from "~/http/page.server";
import contentsPageCss from "~/ui/contents-page.css?url";
import { pageMeta, siteOf } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [] } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: contentsPageCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    publicMeta(
      {
        title: "How buying works",
        description: "Look round, ask, collect: how you buy from us, what it costs, and how to reach us.",
        path: "/how",
      },
      siteOf(matches),
    ),
    matches,
  );

export async function loader({ context }: LoaderFunctionArgs) {
  return json(await pageResult(howPage(context)));
}

export default function How() {
  return <HowPage {...useLoaderData<typeof loader>()} />;
}
