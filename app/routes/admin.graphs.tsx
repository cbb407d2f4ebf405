import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Analytics } from "~/features/analytics/Analytics";
import { analyticsPage } from "~/features/analytics/page.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await analyticsPage(context));
}

export default function AnalyticsPage() {
  return <Analytics page={useLoaderData<typeof loader>()} />;
}
