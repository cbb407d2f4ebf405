import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isWordsUrl, readWordsPage, WORDS_FORMS } from "~/features/search-words/page.server";
import { WordsScreen } from "~/features/search-words/WordsScreen";
import { SETTINGS_FORMS } from "~/features/settings/forms.server";
import { readSettingsPage } from "~/features/settings/page.server";
import { type SettingsReply, SettingsScreen, SettingsSwitch } from "~/features/settings/SettingsScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  if (isWordsUrl(args.request.url)) return json(await adminPage(args, readWordsPage));
  return json(await adminPage(args, readSettingsPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, isWordsUrl(args.request.url) ? WORDS_FORMS : SETTINGS_FORMS);
}

export default function SettingsPage() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<SettingsReply>();
  if (!("words" in page)) return <SettingsScreen page={page} reply={reply} />;
  return (
    <div className="shop-settings">
      <SettingsSwitch group="search" />
      <WordsScreen page={page} reply={reply} />
    </div>
  );
}
