import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readRunPage } from "~/features/product-runs/page.server";
import { RunScreen } from "~/features/product-runs/RunScreen";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readRunPage));
}

export default function Run() {
  return <RunScreen page={useLoaderData<typeof loader>()} />;
}
