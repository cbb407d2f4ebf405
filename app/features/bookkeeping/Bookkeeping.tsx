import { Form, Link, useActionData } from "@remix-run/react";
import { businessName } from "~/features/ledger/enums";
import type { ResultOf } from "~/http/operation.server";
import { Checkbox, Field, FormError } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm, useFormKey } from "~/ui/useCheckedForm";
import type { readBookkeeping } from "./operations.server";
import { PERIOD_NAMES, scopeSearch } from "./periods";
import type { BusinessFigures, TaxSettings } from "./queries.server";
import { ScopeSwitch } from "./ScopeSwitch";
import { TaxSettingsInput } from "./schema";

type Page = ResultOf<typeof readBookkeeping>;

/** Shows profit and tax by business and period, with the accountant's files and the tax registration. */
export function Bookkeeping({ page }: { page: Page }) {
  const { scope, figures, tax, shopName, mayEdit, period } = page;
  const visible = figures.filter(({ business }) => scope.business === null || business === scope.business);
  const search = scopeSearch(scope);
  return (
    <div className="bookkeeping">
      <div className="button-row">
        <ScopeSwitch scope={scope} shopName={shopName} />
        <a className="btn" href={`/admin/bookkeeping.csv${search}`} download>
          <Icon name="download" className="i s" /> Accountant's file
        </a>
        <a className="btn" href={`/admin/bookkeeping-tax.csv${search}`} download>
          <Icon name="download" className="i s" /> Tax summary
        </a>
      </div>
      <FiguresTable
        title="Profit"
        figures={visible}
        shopName={shopName}
        columns={profitColumns}
        page={page}
      />
      <FiguresTable title="Tax" figures={visible} shopName={shopName} columns={taxColumns} page={page} />
      <p className="soft">
        {PERIOD_NAMES[scope.period]}
        {period.days && `, ${period.days.from} to ${period.days.to}`}. Credit notes count on their own day. In
        the accountant's file expenses are negative, so that its columns add up to these figures.
      </p>
      <section className="tax-settings" aria-label="Tax registration">
        {tax.map((settings) => (
          <TaxForm key={settings.business} settings={settings} shopName={shopName} mayEdit={mayEdit} />
        ))}
      </section>
    </div>
  );
}

interface Columns {
  heads: [string, string, string];
  cells(figures: BusinessFigures): [number, number, number];
}

const profitColumns: Columns = {
  heads: ["Sales", "Expenses", "Profit"],
  cells: ({ sales, expenses }) => [sales, expenses, sales - expenses],
};
const taxColumns: Columns = {
  heads: ["Collected", "Paid on expenses", "Net tax"],
  cells: ({ taxCollected, taxPaid }) => [taxCollected, taxPaid, taxCollected - taxPaid],
};

interface FiguresTableProps {
  title: string;
  figures: BusinessFigures[];
  shopName: string;
  columns: Columns;
  page: Page;
}

function FiguresTable({ title, figures, shopName, columns, page }: FiguresTableProps) {
  const rows = figures.map((each) => ({ business: each.business, cells: columns.cells(each) }));
  const totals = [0, 1, 2].map((i) => rows.reduce((sum, { cells }) => sum + (cells[i] ?? 0), 0));
  const range = page.period.days ?? {};
  return (
    <article className="panel figures-panel">
      <h2>{title}</h2>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">Business</th>
            {columns.heads.map((head) => (
              <th key={head} scope="col" className="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ business, cells }) => (
            <tr key={business}>
              <th scope="row">
                <Link
                  to={`/admin/invoices-management?${new URLSearchParams({ businessType: business, ...range })}`}
                >
                  {businessName(business, shopName)}
                </Link>
              </th>
              {cells.map((cents, i) => (
                <td key={columns.heads[i]} className="num">
                  {dollars(cents)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">Both</th>
              {totals.map((cents, i) => (
                <td key={columns.heads[i]} className="num">
                  {dollars(cents)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </article>
  );
}

interface TaxFormProps {
  settings: TaxSettings;
  shopName: string;
  mayEdit: boolean;
}

/** Edits the tax registration of one business; without a number no tax appears anywhere. */
function TaxForm(props: TaxFormProps) {
  const answer = useActionData<{
    lastResult: { initialValue?: Record<string, unknown> } | null;
    failure: string | null;
  }>();
  const rejected =
    answer?.lastResult?.initialValue?.business === props.settings.business ? answer : undefined;
  return (
    <TaxFields key={`${useFormKey(rejected)}-${props.settings.version}`} {...props} rejected={rejected} />
  );
}

function TaxFields({
  settings,
  shopName,
  mayEdit,
  rejected,
}: TaxFormProps & { rejected: ReturnType<typeof useActionData> }) {
  const { business, number, name, rate, isIncluded, version } = settings;
  const values = { number, name, rate: String(rate / 100) };
  const form = useCheckedForm({
    id: `tax-${business}`,
    schema: TaxSettingsInput,
    lastResult: (rejected as { lastResult?: never } | undefined)?.lastResult,
    values,
  });
  return (
    <Form method="post" className="panel form-plain" {...form.props} preventScrollReset>
      <h2>{businessName(business, shopName)}: tax registration</h2>
      <input type="hidden" name="business" value={business} />
      <input type="hidden" name="version" value={version} />
      <FormError message={(rejected as { failure?: string } | undefined)?.failure ?? null} />
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
        <Checkbox id={`tax-${business}-included`} name="isIncluded" defaultChecked={isIncluded}>
          Prices include the tax
        </Checkbox>
        {mayEdit && (
          <SubmitButton intent="tax" busy="Saving..." className="btn primary">
            Save
          </SubmitButton>
        )}
      </fieldset>
      {!mayEdit && <p className="soft">Only an admin changes these.</p>}
    </Form>
  );
}
