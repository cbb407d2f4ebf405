import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { undoForms } from "~/features/product-runs/forms.server";
import { readUndoPage } from "~/features/product-runs/page.server";
import { UndoScreen } from "~/features/product-runs/UndoScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readUndoPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, undoForms);
}

export const clientAction = retryingAction((_, why) => `Failed to take it back: ${why}`);

export default function Undo() {
  return <UndoScreen page={useLoaderData<typeof loader>()} />;
}
