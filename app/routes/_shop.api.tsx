import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ApiPage } from "~/api/ApiPage";
import { readApiPage } from "~/api/routes.server";
import { publicMeta } from "~/features/catalogue/public-meta";
import { type PageHandle, pageResult } from "~/http/page.server";
import contentsPageCss from "~/ui/contents-page.css?url";
import { pageMeta, siteOf } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [] } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: contentsPageCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    publicMeta(
      { title: "API", description: "Every route of the shop's API, with examples and errors.", path: "/api" },
      siteOf(matches),
    ),
    matches,
  );

export async function loader({ context }: LoaderFunctionArgs) {
  return pageResult(readApiPage.execute(context, {}));
}

export default function Api() {
  return <ApiPage {...useLoaderData<typeof loader>()} />;
}
