import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Integrations } from "~/features/integrations/Integrations";
import { INTEGRATION_FORMS, readIntegrations } from "~/features/integrations/operations.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readIntegrations));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, INTEGRATION_FORMS);
}

export default function IntegrationsPage() {
  return <Integrations page={useLoaderData<typeof loader>()} reply={useActionData<typeof action>()} />;
}
