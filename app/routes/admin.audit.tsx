import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuditScreen } from "~/features/audit-log/AuditScreen";
import { readAuditScreen } from "~/features/audit-log/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readAuditScreen));
}

export default function Audit() {
  return <AuditScreen data={useLoaderData<typeof loader>()} />;
}
