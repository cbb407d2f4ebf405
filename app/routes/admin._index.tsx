import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Dashboard } from "~/features/dashboard/Dashboard";
import { dashboardPage } from "~/features/dashboard/page.server";
import { requireStaff } from "~/session/require-staff.server";
import { useSite } from "~/ui/site";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await dashboardPage(context));
}

export default function Insights() {
  const { name } = useSite();
  return <Dashboard page={useLoaderData<typeof loader>()} shopName={name} />;
}
