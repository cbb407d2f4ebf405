import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Analytics } from "~/features/analytics/Analytics";
import { readAnalytics } from "~/features/analytics/page.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readAnalytics));
}

export default function AnalyticsPage() {
  return <Analytics page={useLoaderData<typeof loader>()} />;
}
