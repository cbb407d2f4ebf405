import { Link } from "@remix-run/react";
import { businessName } from "~/features/ledger/enums";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { FiguresTable } from "./FiguresTable";
import { PERIOD_NAMES, scopeSearch } from "./periods";
import { ScopeSwitch } from "./ScopeSwitch";
import { TaxForm } from "./TaxForm";
import type { BookkeepingPage, BusinessFigures } from "./views";

/** Shows profit and tax by business and period, with the accountant's files and the tax registration. */
export function Bookkeeping({ page }: { page: BookkeepingPage }) {
  const { scope, tax, shopName, mayEdit, period } = page;
  const search = scopeSearch(scope);
  return (
    <div className="bookkeeping">
      <div className="button-row">
        <ScopeSwitch key={search} scope={scope} shopName={shopName} />
        <a className="btn" href={`/admin/bookkeeping.csv${search}`} download>
          <Icon name="download" className="i s" /> Accountant's file
        </a>
        <a className="btn" href={`/admin/bookkeeping-tax.csv${search}`} download>
          <Icon name="download" className="i s" /> Tax summary
        </a>
      </div>
      <Figures title="Profit" page={page} {...PROFIT} />
      <Figures title="Tax" page={page} {...TAX} />
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

function Figures({ title, page, heads, pair, lists }: Columns & { title: string; page: BookkeepingPage }) {
  const { scope, period, shopName } = page;
  const visible = page.figures.filter(
    ({ business }) => scope.business === null || business === scope.business,
  );
  const rows = visible.map((figures) => ({
    key: figures.business,
    head: businessName(figures.business, shopName),
    cells: cells(pair(figures), lists({ businessType: figures.business, ...period.days })),
  }));
  const sums = visible
    .map(pair)
    .reduce(([one, two], [a, b]) => [one + a, two + b] as [number, number], [0, 0] as [number, number]);
  return (
    <article className="panel figures-panel">
      <h2>{title}</h2>
      <FiguresTable heads={heads} rows={rows} foot={cells(sums, lists({ ...period.days }))} />
    </article>
  );
}
