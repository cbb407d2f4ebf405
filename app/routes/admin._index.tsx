import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Dashboard } from "~/features/dashboard/Dashboard";
import { readDashboard } from "~/features/dashboard/page.server";
import { adminPage } from "~/http/page.server";
import { useSite } from "~/ui/site";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readDashboard));
}

export default function Insights() {
  const { businesses } = useSite();
  return <Dashboard page={useLoaderData<typeof loader>()} businessNames={businesses} />;
}
