import { useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { type BusinessNames, businessName } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { Checkbox, Field, FormError } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useCheckedForm, useFormKey } from "~/ui/useCheckedForm";
import { ClosedMonths } from "./ClosedMonths";
import { allEntries, untaxedCents, untaxedEntries } from "./entries";
import { ProductSales } from "./ProductSales";
import { ReportSwitch } from "./ReportSwitch";
import { FiguresTable, UntaxedLinks } from "./report-parts";
import { OWN_DAYS, periodName, reportSearch } from "./report-scope";
import { type BookkeepingPage, type BusinessFigures, type TaxSettings, TaxSettingsInput } from "./schema";

/** Shows profit and tax by business and period, with the accountant's files and the tax registration. */
export function Bookkeeping({ page }: { page: BookkeepingPage }) {
  const { scope, tax, businessNames, mayEdit, period } = page;
  const search = reportSearch(scope);
  return (
    <div className="bookkeeping">
      <div className="button-row">
        <ReportSwitch key={search} page={page} />
        <a
          className="btn"
          href={localTo(`/admin/bookkeeping.csv${search}`)}
          title="Expenses are negative, so that its columns add up to the figures below"
          download
        >
          <Icon name="download" className="i s" /> Accountant's file
        </a>
        <a className="btn" href={localTo(`/admin/bookkeeping-tax.csv${search}`)} download>
          <Icon name="download" className="i s" /> Tax summary
        </a>
      </div>
      <Figures title="Profit" page={page} {...PROFIT}>
        <p className="soft">
          {periodName(scope, period.days)}
          {period.days && scope.period !== OWN_DAYS && `, ${period.days.from} to ${period.days.to}`}. Credit
          notes count on their own day.
        </p>
      </Figures>
      <Figures title="Tax" page={page} {...TAX}>
        <TaxedEntries page={page} />
      </Figures>
      <ProductSales page={page} />
      <ClosedMonths page={page} />
      <section className="tax-settings" aria-label="Tax registration">
        {tax.map((settings) => (
          <TaxForm key={settings.business} {...{ settings, businessNames, mayEdit }} />
        ))}
      </section>
    </div>
  );
}

interface Columns {
  heads: string[];
  /** Lists of the entries of the first two figures. */
  lists(filters: Record<string, string>): [string, string];
  /** Two figures in cents; the third column is their difference. */
  pair(figures: BusinessFigures): [number, number];
}

const PROFIT: Columns = {
  heads: ["Sales", "Expenses", "Profit"],
  pair: ({ sales, expenses }) => [sales, expenses],
  lists: (filters) => [
    `/admin/invoices-management?${new URLSearchParams(filters)}`,
    `/admin/expenses-management?${new URLSearchParams(filters)}`,
  ],
};
const TAX: Columns = {
  heads: ["Collected", "Paid on expenses", "Net tax"],
  pair: ({ taxCollected, taxPaid }) => [taxCollected, taxPaid],
  lists: ({ businessType, ...days }) => [
    `/admin/documents?${new URLSearchParams({ ...(businessType && { business: businessType }), ...days })}`,
    `/admin/expenses-management?${new URLSearchParams({ ...(businessType && { businessType }), ...days, tax: "with" })}`,
  ],
};

function cells([first, second]: [number, number], [toFirst, toSecond]: [string, string]) {
  return [
    <Link key="first" to={toFirst}>
      {dollars(first)}
    </Link>,
    <Link key="second" to={toSecond}>
      {dollars(second)}
    </Link>,
    dollars(first - second),
  ];
}

interface FiguresProps extends Columns {
  title: string;
  page: BookkeepingPage;
  /** Explanation below the figures. */
  children: ReactNode;
}

/** Selects the figures of the chosen business, or of both. */
const scopeFigures = ({ scope, figures }: BookkeepingPage) =>
  figures.filter(({ business }) => scope.business === null || business === scope.business);

function Figures({ title, page, heads, pair, lists, children }: FiguresProps) {
  const { period, businessNames } = page;
  const visible = scopeFigures(page);
  const rows = visible.map((figures) => ({
    key: figures.business,
    head: businessName(figures.business, businessNames),
    cells: cells(pair(figures), lists({ businessType: figures.business, ...period.days })),
  }));
  const sums = visible
    .map(pair)
    .reduce(([one, two], [a, b]) => [one + a, two + b] as [number, number], [0, 0] as [number, number]);
  return (
    <article className="panel figures-panel">
      <h2>{title}</h2>
      <FiguresTable heads={heads} rows={rows} foot={cells(sums, lists({ ...period.days }))} />
      {children}
    </article>
  );
}

/** States the turnover, what the tax is based on, and what it leaves out, with links. */
function TaxedEntries({ page }: { page: BookkeepingPage }) {
  const { scope, period } = page;
  const sum = (value: (figures: BusinessFigures) => number) =>
    scopeFigures(page).reduce((total, figures) => total + value(figures), 0);
  const [all, untaxed] = [sum(allEntries), sum(untaxedEntries)];
  const filters = { ...(scope.business && { businessType: scope.business }), ...period.days };
  const [turnover, collected] = [sum(({ sales }) => sales), sum(({ taxCollected }) => taxCollected)];
  return (
    <p className="soft">
      Turnover is {dollars(turnover)} with tax and {dollars(turnover - collected)} without. The tax is that of{" "}
      {(all - untaxed).toLocaleString("en")} of {counted(all, "entry")}.
      {untaxed > 0 && (
        <>
          {" "}
          {counted(untaxed, "entry")} of {dollars(sum(untaxedCents))} {untaxed === 1 ? "states" : "state"} no
          tax: <UntaxedLinks figures={scopeFigures(page)} filters={filters} />.
        </>
      )}
    </p>
  );
}

interface TaxFormProps {
  settings: TaxSettings;
  businessNames: BusinessNames;
  mayEdit: boolean;
}

/** Edits the tax registration of one business; without a number no tax appears anywhere. */
function TaxForm({ settings, businessNames, mayEdit }: TaxFormProps) {
  const answer = useActionData<RefusedForm>();
  const isOwn = answer?.lastResult?.initialValue?.business === settings.business;
  const refused = isOwn ? answer : undefined;
  return (
    <article className="panel">
      <h2>{businessName(settings.business, businessNames)}: tax registration</h2>
      <FormError message={refused?.failure ?? null} />
      <TaxFields
        key={`${useFormKey(refused)}-${settings.version}`}
        settings={settings}
        mayEdit={mayEdit}
        lastResult={refused?.lastResult}
      />
      {!mayEdit && <p className="soft">Only an admin changes these.</p>}
    </article>
  );
}

interface TaxFieldsProps {
  settings: TaxSettings;
  mayEdit: boolean;
  lastResult: RefusedForm["lastResult"] | undefined;
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
          hint="Leave empty if not registered. No tax is charged."
          {...form.field("number")}
        />
        <Field label="Name of the tax" maxLength={20} {...form.field("name")} />
        <Field label="Rate in %" inputMode="decimal" maxLength={10} {...form.field("rate")} />
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
