import { Form, useActionData } from "@remix-run/react";
import { businessName } from "~/features/ledger/enums";
import { Checkbox, Field, FormError } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm, useFormKey } from "~/ui/useCheckedForm";
import { TaxSettingsInput } from "./schema";
import type { TaxSettings } from "./views";

interface TaxFormProps {
  settings: TaxSettings;
  shopName: string;
  mayEdit: boolean;
}

type CheckedResult = Parameters<typeof useCheckedForm>[0]["lastResult"];
interface Rejection {
  lastResult: CheckedResult;
  failure: string | null;
}

/** Edits the tax registration of one business; without a number no tax appears anywhere. */
export function TaxForm({ settings, shopName, mayEdit }: TaxFormProps) {
  const answer = useActionData<Rejection>();
  const isOwn = answer?.lastResult?.initialValue?.business === settings.business;
  const rejected = isOwn ? answer : undefined;
  return (
    <article className="panel">
      <h2>{businessName(settings.business, shopName)}: tax registration</h2>
      <FormError message={rejected?.failure ?? null} />
      <TaxFields
        key={`${useFormKey(rejected)}-${settings.version}`}
        settings={settings}
        mayEdit={mayEdit}
        lastResult={rejected?.lastResult}
      />
      {!mayEdit && <p className="soft">Only an admin changes these.</p>}
    </article>
  );
}

interface TaxFieldsProps {
  settings: TaxSettings;
  mayEdit: boolean;
  lastResult: CheckedResult;
}

function TaxFields({ settings, mayEdit, lastResult }: TaxFieldsProps) {
  const { business, number, name, rate, isIncluded, version } = settings;
  const values = { number, name, rate: String(rate / 100) };
  const id = `tax-${business}`;
  const form = useCheckedForm({ id, schema: TaxSettingsInput, lastResult, values });
  return (
    <Form method="post" {...form.props} preventScrollReset>
      <input type="hidden" name="business" value={business} />
      <input type="hidden" name="version" value={version} />
      <fieldset disabled={!mayEdit}>
        <legend className="visually-hidden">Tax registration</legend>
        <Field
          label="Registration number"
          maxLength={50}
          hint="Empty: not registered, no tax anywhere"
          {...form.field("number")}
        />
        <Field label="Name of the tax" maxLength={20} {...form.field("name")} />
        <Field label="Rate in %" inputMode="decimal" maxLength={5} {...form.field("rate")} />
        <Checkbox id={`${id}-included`} name="isIncluded" defaultChecked={isIncluded}>
          Prices include the tax
        </Checkbox>
        {mayEdit && (
          <SubmitButton intent="tax" busy="Saving..." className="btn primary">
            Save
          </SubmitButton>
        )}
      </fieldset>
    </Form>
  );
}
