import { useSubmit } from "@remix-run/react";
import { type ChangeEvent, Fragment, type ReactNode } from "react";
import { BUSINESSES, type Business, type BusinessNames, businessName } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { PERIOD_NAMES, PERIODS, type Scope } from "~/domain/periods";
import { counted } from "~/ui/format";
import { Form, Link } from "~/ui/navigation";
import { useShortcuts } from "~/ui/shortcuts";
import type { BusinessFigures } from "./schema";

interface UntaxedLinksProps {
  figures: BusinessFigures[];
  /** Filters of the business and the days. */
  filters: Record<string, string>;
}

/** Links to the sales and expenses that state no tax. */
export function UntaxedLinks({ figures, filters }: UntaxedLinksProps) {
  const sum = (value: (figures: BusinessFigures) => number) =>
    figures.reduce((total, each) => total + value(each), 0);
  const search = new URLSearchParams({ ...filters, tax: "without" });
  const left = [
    { count: sum(({ untaxedSales }) => untaxedSales), noun: "sale", list: "invoices" },
    { count: sum(({ untaxedExpenses }) => untaxedExpenses), noun: "expense", list: "expenses" },
  ].filter(({ count }) => count > 0);
  return left.map(({ count, noun, list }, i) => (
    <Fragment key={list}>
      {i > 0 && " and "}
      <Link className="link" to={`/admin/${list}-management?${search}`}>
        {counted(count, noun)}
      </Link>
    </Fragment>
  ));
}

/** Returns the address of the list of deposits that are held. @param business null for both */
export const heldDepositsUrl = (business: Business | null): string =>
  `/admin/quotes?${new URLSearchParams({ state: "deposit", ...(business && { business }) })}`;

/** Sentence about deposits that were taken after a sale or repayment which used them. @param end `31st Oct 2026` */
export const laterDeposits = (cents: number, end: string): string =>
  `${dollars(cents)} of deposits dated later were used or paid back by ${end}.`;

interface FiguresRow {
  /** Business, or a link to its rows. */
  head: ReactNode;
  key: string;
  cells: ReactNode[];
}

interface FiguresTableProps {
  heads: string[];
  rows: FiguresRow[];
  /** Sums of more than one row. */
  foot: ReactNode[];
}

/** Lists figures by business, with a foot for both. */
export function FiguresTable({ heads, rows, foot }: FiguresTableProps) {
  return (
    <table className="figures">
      <thead>
        <tr>
          <th scope="col">Business</th>
          {heads.map((head) => (
            <th key={head} scope="col" className="num">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }) => (
          <Row key={key} head={head} cells={cells} heads={heads} />
        ))}
      </tbody>
      {rows.length > 1 && (
        <tfoot>
          <Row head="Both" cells={foot} heads={heads} />
        </tfoot>
      )}
    </table>
  );
}

function Row({ head, cells, heads }: Omit<FiguresRow, "key"> & { heads: string[] }) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {cells.map((cell, i) => (
        <td key={heads[i]} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
}

interface ScopeSwitchProps {
  scope: Pick<Scope, "business"> & { period: string };
  businessNames: BusinessNames;
  /** Periods beside the fixed ones, by value. */
  others?: { value: string; label: string }[];
  /** Other search parameters that the page keeps. */
  kept?: Record<string, string>;
}

/** Chooses the business and period of a report; a script applies a choice at once, a form button without one. */
export function ScopeSwitch({ scope, businessNames, others = [], kept = {} }: ScopeSwitchProps) {
  const submit = useSubmit();
  useShortcuts({ b: () => focus("[name=business]:checked"), t: () => focus("[name=period]") });
  const apply = ({ currentTarget }: ChangeEvent<HTMLFormElement>) => submit(currentTarget, { replace: true });
  return (
    <Form
      method="get"
      className="scope-switch"
      onChange={apply}
      aria-label="Business and period"
      preventScrollReset
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <BusinessChoice chosen={scope.business ?? ""} businessNames={businessNames} />
      <label>
        <span className="visually-hidden">Period</span>
        <select className="select" name="period" defaultValue={scope.period}>
          {PERIODS.map((period) => (
            <option key={period} value={period}>
              {PERIOD_NAMES[period]}
            </option>
          ))}
          {others.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <noscript>
        <button className="btn" type="submit">
          Show
        </button>
      </noscript>
    </Form>
  );
}

const focus = (field: string) => document.querySelector<HTMLElement>(`.scope-switch ${field}`)?.focus();

function BusinessChoice({ chosen, businessNames }: { chosen: string; businessNames: BusinessNames }) {
  const businesses = BUSINESSES.map((value) => ({ value, label: businessName(value, businessNames) }));
  return (
    <fieldset className="segments scope-business">
      <legend className="visually-hidden">Business</legend>
      {[{ value: "", label: "Both" }, ...businesses].map(({ value, label }) => (
        <label key={label}>
          <input type="radio" name="business" value={value} defaultChecked={chosen === value} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
