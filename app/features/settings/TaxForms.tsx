import { type BusinessNames, businessName } from "~/domain/enums";
import { OpenedValue } from "~/records/form-state";
import { Checkbox, Field, FormError } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useCheckedForm } from "~/ui/useCheckedForm";
import type { SettingsPageData } from "./page.server";
import { type TaxSettings, TaxSettingsInput } from "./tax";

interface TaxFormsProps {
  page: Pick<SettingsPageData, "taxes" | "businesses" | "mayEdit">;
  /** Answer to one of them. */
  answer: RefusedForm | undefined;
}

/** Tax registration of each business, a form of its own beside the other settings of sales. */
export function TaxForms({ page: { taxes, businesses, mayEdit }, answer }: TaxFormsProps) {
  return (
    <section className="tax-settings" id="tax" aria-label="Tax registration">
      {taxes.map((settings) => (
        <TaxForm key={settings.business} {...{ settings, businesses, answer }} mayEdit={mayEdit} />
      ))}
    </section>
  );
}

interface TaxFormProps {
  settings: TaxSettings;
  businesses: BusinessNames;
  mayEdit: boolean;
  answer: RefusedForm | undefined;
}

/** Edits the tax registration of one business; without a number no tax appears anywhere. */
function TaxForm({ settings, businesses, mayEdit, answer }: TaxFormProps) {
  const refused = answer?.lastResult?.initialValue?.business === settings.business ? answer : undefined;
  return (
    <article className="panel">
      <h2>{businessName(settings.business, businesses)}: tax registration</h2>
      <FormError message={refused?.failure ?? null} />
      <TaxFields
        // What is typed stays until this form is saved.
        key={settings.version}
        settings={settings}
        mayEdit={mayEdit}
        refused={refused}
      />
      {!mayEdit && <p className="soft">Only an admin changes these.</p>}
    </article>
  );
}

interface TaxFieldsProps {
  settings: TaxSettings;
  mayEdit: boolean;
  refused: RefusedForm | undefined;
}

function TaxFields({ settings, mayEdit, refused }: TaxFieldsProps) {
  const { business, number, name, rate, isIncluded, version } = settings;
  const values = { number, name, rate: String(rate / 100), isIncluded: isIncluded ? "on" : "" };
  const id = `tax-${business}`;
  const form = useCheckedForm({ id, schema: TaxSettingsInput, lastResult: refused?.lastResult, values });
  return (
    <Form method="post" {...form.props} preventScrollReset>
      <input type="hidden" name="business" value={business} />
      <OpenedValue name="version" value={version} refused={refused} />
      <fieldset disabled={!mayEdit}>
        <legend className="visually-hidden">Tax registration</legend>
        <Field
          label="Registration number"
          maxLength={50}
          hint="Leave empty if not registered. No tax is charged."
          {...form.field("number")}
        />
        <Field label="Name of the tax" maxLength={20} {...form.field("name")} />
        <Field label="Rate in %" inputMode="decimal" maxLength={10} {...form.field("rate")} />
        <Checkbox {...form.checkbox("isIncluded")}>Prices include the tax</Checkbox>
        {mayEdit && (
          <SubmitButton intent="tax" busy="Saving..." className="btn primary">
            Save
          </SubmitButton>
        )}
      </fieldset>
    </Form>
  );
}
