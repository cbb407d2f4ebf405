import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readSettingsPage, SETTINGS_FORMS } from "~/features/settings/page.server";
import { type SettingsReply, SettingsScreen } from "~/features/settings/SettingsScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readSettingsPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, SETTINGS_FORMS);
}

export default function SettingsPage() {
  return <SettingsScreen page={useLoaderData<typeof loader>()} reply={useActionData<SettingsReply>()} />;
}
