import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Graphs } from "~/features/analytics/Analytics";
import { graphsPage } from "~/features/analytics/page.server";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await graphsPage(context));
}

export default function Analytics() {
  return <Graphs page={useLoaderData<typeof loader>()} />;
}
