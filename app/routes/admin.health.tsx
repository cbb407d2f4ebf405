import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Health } from "~/features/health/Health";
import { healthPage } from "~/features/health/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, healthPage));
}

export default function HealthPage() {
  return <Health page={useLoaderData<typeof loader>()} />;
}
