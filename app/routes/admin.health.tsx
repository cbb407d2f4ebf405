import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { HEALTH_FORMS } from "~/features/health/forms.server";
import { Health } from "~/features/health/Health";
import { healthPage } from "~/features/health/operations.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, healthPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, HEALTH_FORMS);
}

export default function HealthPage() {
  return (
    <Health page={useLoaderData<typeof loader>()} failure={useActionData<typeof action>()?.failure ?? null} />
  );
}
