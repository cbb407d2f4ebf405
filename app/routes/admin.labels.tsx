import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LabelsScreen } from "~/features/labels/LabelsScreen";
import { readLabelsPage } from "~/features/labels/page.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";

export const meta: MetaFunction = () => pageTitle("Labels");

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readLabelsPage));
}

export default function Labels() {
  return <LabelsScreen page={useLoaderData<typeof loader>()} />;
}
