import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { unknownAdminPage } from "~/features/dashboard/page.server";
import { DrawerScreen } from "~/features/drawer/DrawerScreen";
import { DRAWER_FORMS } from "~/features/drawer/forms.server";
import { readDrawer } from "~/features/drawer/page.server";
import { CorrectSale } from "~/features/sales/correct/CorrectSale";
import { CORRECT_FORMS } from "~/features/sales/correct/forms.server";
import { readCorrectSale } from "~/features/sales/correct/page.server";
import { DepositForm, WithdrawForm } from "~/features/sales/deposits/DepositForms";
import { DEPOSIT_FORMS, WITHDRAW_FORMS } from "~/features/sales/deposits/forms.server";
import { readDepositPage, readWithdrawPage } from "~/features/sales/deposits/page.server";
import { RECORD_FORMS } from "~/features/sales/record/forms.server";
import { HoldForm, QuoteForm } from "~/features/sales/record/HoldAndQuoteForms";
import {
  holdForms,
  QUOTE_FORMS,
  readHoldPage,
  readQuotePage,
} from "~/features/sales/record/hold-and-quote-pages.server";
import { readRecordSale } from "~/features/sales/record/page.server";
import { RecordSale } from "~/features/sales/record/RecordSale";
import { type FormIntents, formAction } from "~/http/form-action.server";
import type { Operation, ResultOf } from "~/http/operation.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

/** Readers of the forms. One route of Remix for all of them: browsers load the list of Remix's routes. */
const READERS = {
  new: readRecordSale,
  correct: readCorrectSale,
  hold: readHoldPage,
  quote: readQuotePage,
  deposit: readDepositPage,
  withdraw: readWithdrawPage,
  drawer: readDrawer,
};
type SaleFormData = ResultOf<(typeof READERS)[keyof typeof READERS]>;

/** Finds the reader of an address; a correction is Record sale at `correct`. */
function readerOf({ params: { form }, request }: LoaderFunctionArgs): Operation<SaleFormData> {
  const isCorrection = form === "new" && new URL(request.url).searchParams.has("correct");
  const readers: Record<string, Operation<SaleFormData>> = READERS;
  return (
    (isCorrection ? READERS.correct : readers[form === "correct" ? "" : (form ?? "")]) ?? unknownAdminPage
  );
}

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readerOf(args)));
}

/** Lists the forms of an address. */
function formsOf({ params, context }: ActionFunctionArgs): FormIntents {
  const forms: Record<string, FormIntents> = {
    new: { ...RECORD_FORMS, ...CORRECT_FORMS },
    hold: holdForms(context),
    quote: QUOTE_FORMS,
    deposit: DEPOSIT_FORMS,
    withdraw: WITHDRAW_FORMS,
    drawer: DRAWER_FORMS,
  };
  return forms[params.form ?? ""] ?? {};
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, formsOf(args));
}

const UNSENT: Record<string, string> = {
  record: "The sale is not confirmed",
  correct: "The correction is not confirmed",
  withdraw: "Nothing was withdrawn",
};

export const clientAction = retryingAction(
  (intent, reason) => `${UNSENT[intent] ?? "Nothing was saved"}: ${reason}`,
);

export default function SaleForm() {
  const data = useLoaderData<typeof loader>();
  switch (data.form) {
    case "new":
      return <RecordSale key={data.last?.documents[0]?.id} data={data} />;
    case "correct":
      return <CorrectSale key={data.corrected.id} data={data} />;
    case "hold":
      return <HoldForm data={data} />;
    case "quote":
      return <QuoteForm data={data} />;
    case "deposit":
      return <DepositForm data={data} />;
    case "withdraw":
      return <WithdrawForm data={data} />;
    case "drawer":
      return <DrawerScreen page={data} />;
  }
}
