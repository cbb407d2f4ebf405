import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { AdminSection } from "~/features/insights/AdminSection";
import { requireStaff } from "~/session/require-staff.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return null;
}

export default function Invoices() {
  return <AdminSection title="Invoices" />;
}
