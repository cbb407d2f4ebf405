import type { ReactNode } from "react";
import { formatDay } from "~/domain/day-text";
import { BUSINESSES, businessName } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { ClosedMonths } from "./ClosedMonths";
import { allEntries, untaxedCents, untaxedEntries } from "./entries";
import { ProductSales } from "./ProductSales";
import { ReportSwitch } from "./ReportSwitch";
import { FiguresTable, heldDepositsUrl, laterDeposits, UntaxedLinks } from "./report-parts";
import { isWithoutDays, OWN_DAYS, periodName, reportSearch } from "./report-scope";
import type { BookkeepingPage, BusinessFigures, HeldDeposits } from "./schema";

/** Shows profit and tax by business and period, with the accountant's files. */
export function Bookkeeping({ page }: { page: BookkeepingPage }) {
  const search = reportSearch(page.scope);
  const isShown = !isWithoutDays(page.problems);
  return (
    <div className="bookkeeping">
      <div className="button-row">
        <ReportSwitch key={search} page={page} />
        {isShown && <Files search={search} />}
      </div>
      {isShown && <Report page={page} />}
      <ClosedMonths page={page} />
    </div>
  );
}

/** Links to the files of a report. */
function Files({ search }: { search: string }) {
  return FILES.map(({ file, label, title }) => (
    <a key={file} className="btn" href={localTo(`/admin/${file}.csv${search}`)} title={title} download>
      <Icon name="download" className="i s" /> {label}
    </a>
  ));
}

const FILES = [
  {
    file: "bookkeeping",
    label: "Accountant's file",
    title: "Expenses are negative, so that its columns add up to the figures below",
  },
  { file: "bookkeeping-tax", label: "Tax summary", title: "By business: tax, turnover and discounts" },
  {
    file: "bookkeeping-payments",
    label: "Payments",
    title: "Money taken and paid back with documents and as deposits, by day and mode",
  },
];

function Report({ page }: { page: BookkeepingPage }) {
  const { scope, period } = page;
  return (
    <>
      <Figures title="Profit" page={page} {...PROFIT}>
        <p className="soft">
          {periodName(scope, period.days)}
          {period.days && scope.period !== OWN_DAYS && `, ${period.days.from} to ${period.days.to}`}. Credit
          notes count on their own day. <Discounts page={page} /> <Deposits page={page} />
        </p>
      </Figures>
      <Figures title="Tax" page={page} {...TAX}>
        <TaxedEntries page={page} />
      </Figures>
      <ProductSales page={page} />
    </>
  );
}

/** States the sum of the discounts, which the sales hold no more, with a link to their documents. */
function Discounts({ page }: { page: BookkeepingPage }) {
  const { scope, period } = page;
  const cents = scopeFigures(page).reduce((total, { discounts }) => total + discounts, 0);
  const filters = { ...(scope.business && { business: scope.business }), ...period.days };
  return (
    <>
      <Link className="link" to={`/admin/documents?${new URLSearchParams(filters)}`}>
        Discounts
      </Link>{" "}
      of {dollars(cents)} are taken off.
    </>
  );
}

/** States the deposits that are no sale yet, with a link to those of now. */
function Deposits({ page: { scope, held, heldOn } }: { page: BookkeepingPage }) {
  const own = BUSINESSES.filter((business) => scope.business === null || business === scope.business);
  const sum = (part: keyof HeldDeposits) => own.reduce((total, business) => total + held[business][part], 0);
  const laterCents = sum("laterCents");
  return (
    <>
      Deposits count once they are sold: {dollars(sum("heldCents"))}{" "}
      {heldOn ? `were held on ${formatDay(heldOn)}` : "are held"} (
      <Link className="link" to={heldDepositsUrl(scope.business)}>
        deposits held now
      </Link>
      ).
      {laterCents > 0 && ` ${laterDeposits(laterCents, heldOn ? formatDay(heldOn) : "now")}`}
    </>
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

/** Form of the tax registrations. */
const TAX_PATH = "/admin/settings?group=sales#tax";

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
      )}{" "}
      Number and rate of each business stand in the settings, under{" "}
      <Link className="link" to={TAX_PATH}>
        Sales
      </Link>
      .
    </p>
  );
}
