import { useActionData, useLocation } from "@remix-run/react";
import { isDay } from "~/domain/calendar-day";
import { formatDay, formatMonth } from "~/domain/day-text";
import { addDays } from "~/domain/days";
import { type Business, type BusinessNames, businessName } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { Field } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { counted } from "~/ui/format";
import { Link, useNavigate } from "~/ui/navigation";
import type { FieldValue, RefusedForm } from "~/ui/useCheckedForm";
import { allEntries, untaxedEntries } from "./entries";
import { heldDepositsUrl, laterDeposits, UntaxedLinks } from "./report-parts";
import { type Days, type ReportScope, reportSearch } from "./report-scope";
import {
  type BookkeepingPage,
  type ClosedBooks,
  type ClosingDialog,
  ClosingInput,
  ReopeningInput,
} from "./schema";

/** Lists up to which day each business is closed; admins close the next month and reopen the last one. */
export function ClosedMonths({ page }: { page: BookkeepingPage }) {
  const { closed, scope, mayEdit, dialog } = page;
  const rows = closed.filter(({ business }) => scope.business === null || business === scope.business);
  return (
    <article className="panel figures-panel">
      <h2>Closed months</h2>
      <ul className="closed-months">
        {rows.map((books) => (
          <Books key={books.business} books={books} page={page} />
        ))}
      </ul>
      <p className="soft">
        Nothing dated on or before that day can be added, changed, deleted, credited or corrected.
        {!mayEdit && " Only an admin closes and reopens."}
      </p>
      {dialog && <Dialog key={dialog.kind + dialog.books.business} page={page} dialog={dialog} />}
    </article>
  );
}

function Books({
  books,
  page: { scope, businessNames, mayEdit },
}: {
  books: ClosedBooks;
  page: BookkeepingPage;
}) {
  const { business, closing } = books;
  return (
    <li>
      <div>
        <b>{businessName(business, businessNames)}</b>{" "}
        {closing ? `is closed up to ${formatDay(closing.until)}` : "has no closed month"}
        {closing && <div className="soft">{closing.by}</div>}
      </div>
      {mayEdit && <ClosingLinks books={books} scope={scope} businessNames={businessNames} />}
    </li>
  );
}

interface ClosingLinksProps {
  books: ClosedBooks;
  scope: ReportScope;
  businessNames: BusinessNames;
}

/** Address of a dialog of the closed months. */
function dialogUrl(scope: ReportScope, kind: ClosingDialog["kind"], { business }: ClosedBooks): string {
  const query = new URLSearchParams(reportSearch(scope));
  query.set(kind, business);
  return `/admin/bookkeeping?${query}`;
}

function ClosingLinks({ books, scope, businessNames }: ClosingLinksProps) {
  const of = businessName(books.business, businessNames);
  return (
    <span className="button-row">
      {books.closing && (
        <Link className="btn" to={dialogUrl(scope, "reopen", books)} preventScrollReset>
          Reopen<span className="visually-hidden"> {of}</span>
        </Link>
      )}
      {books.next && (
        <Link className="btn" to={dialogUrl(scope, "close", books)} preventScrollReset>
          Close {formatMonth(books.next)}
          <span className="visually-hidden"> of {of}</span>
        </Link>
      )}
    </span>
  );
}

function Dialog({ page, dialog }: { page: BookkeepingPage; dialog: ClosingDialog }) {
  const refused = useActionData<RefusedForm>();
  const { pathname, search } = useLocation();
  const frame = {
    back: `/admin/bookkeeping${reportSearch(page.scope)}`,
    action: pathname + search,
    refused,
  };
  const name = businessName(dialog.books.business, page.businessNames);
  return dialog.kind === "close" ? (
    <CloseDialog frame={frame} dialog={dialog} name={name} />
  ) : (
    <ReopenDialog frame={frame} books={dialog.books} name={name} />
  );
}

interface FrameProps {
  frame: { back: string; action: string; refused: RefusedForm | undefined };
  name: string;
}

function CloseDialog({ frame, name, dialog }: FrameProps & { dialog: ClosingDialog & { kind: "close" } }) {
  const { books, id, until } = dialog;
  return (
    <CheckedDialog
      id="closing"
      title={`Close a month of ${name}`}
      intent="close"
      submit={`Close ${name}`}
      schema={ClosingInput}
      values={{ until, note: "Handed to the accountant" }}
      {...frame}
    >
      {(form) => (
        <>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="businessType" value={books.business} />
          <input type="hidden" name="redirectTo" value={frame.back} />
          <div className="col-3">
            <ClosingDay field={form.field("until")} action={frame.action} business={books.business} />
          </div>
          <div className="col-3">
            <Field label="Note" maxLength={200} {...form.field("note")} />
          </div>
          <FixedFigures dialog={dialog} />
          <p className="soft col-6">It changes no figure. Reopening is one act, in the audit log.</p>
        </>
      )}
    </CheckedDialog>
  );
}

interface ClosingDayProps {
  field: FieldValue;
  action: string;
  business: Business;
}

/** Day up to which is closed; another one shows its figures. */
function ClosingDay({ field, action, business }: ClosingDayProps) {
  const navigate = useNavigate();
  const show = (day: string) => {
    const { pathname, searchParams } = new URL(action, location.href);
    searchParams.set("until", day);
    if (isDay(day)) navigate(`${pathname}?${searchParams}`, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <Field
        label="Up to and including"
        type="date"
        {...field}
        onChange={({ currentTarget }) => show(currentTarget.value)}
      />
      <noscript>
        <button type="submit" className="btn small" formMethod="get" name="close" value={business}>
          Show its figures
        </button>
      </noscript>
    </>
  );
}

/** Shows the figures of a month that will stay, and what is still odd in it. */
function FixedFigures({ dialog: { days, figures, ...rest } }: { dialog: ClosingDialog & { kind: "close" } }) {
  const { sales, expenses, taxCollected, taxPaid } = figures;
  const rows: [string, number][] = [
    ["Sales", sales],
    ["Tax collected", taxCollected],
    ["Expenses", expenses],
    ["Tax paid", taxPaid],
  ];
  return (
    <>
      <table className="figures col-6">
        <caption>{daysName(days)} as it is now</caption>
        <tbody>
          {rows.map(([label, cents]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="num">{dollars(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Oddities figures={figures} days={days} {...rest} />
    </>
  );
}

type OdditiesProps = Omit<ClosingDialog & { kind: "close" }, "kind" | "id">;

/** Names days: a whole month by its name. */
const daysName = ({ from, to }: Days): string =>
  from === `${to.slice(0, 7)}-01` && addDays(to, 1).endsWith("-01")
    ? formatMonth(to)
    : `${formatDay(from)} to ${formatDay(to)}`;

/** Lists what is odd before a month is closed, which forbids nothing. */
function Oddities({ books: { business }, until, days, figures, held, openDrawers }: OdditiesProps) {
  const untaxed = untaxedEntries(figures);
  return (
    <ul className="soft col-6">
      {openDrawers.map((day) => (
        <li key={day}>
          <Link className="link" to={`/admin/sales/drawer?business=${business}`}>
            The drawer of {formatDay(day)}
          </Link>{" "}
          is not closed.
        </li>
      ))}
      {held.heldCents > 0 && (
        <li>
          <Link className="link" to={heldDepositsUrl(business)}>
            Deposits
          </Link>{" "}
          of {dollars(held.heldCents)} are held at its end. They count once they are sold.
        </li>
      )}
      {held.laterCents > 0 && <li>{laterDeposits(held.laterCents, formatDay(until))}</li>}
      {untaxed > 0 && (
        <li>
          {counted(untaxed, "entry")} of {allEntries(figures).toLocaleString("en")}{" "}
          {untaxed === 1 ? "states" : "state"} no tax:{" "}
          <UntaxedLinks figures={[figures]} filters={{ businessType: business, ...days }} />.
        </li>
      )}
    </ul>
  );
}

function ReopenDialog({ frame, name, books }: FrameProps & { books: ClosedBooks }) {
  const until = books.closing && formatDay(books.closing.until);
  return (
    <CheckedDialog
      id="reopening"
      title={`Reopen ${name}`}
      intent="reopen"
      submit={`Reopen ${name}`}
      schema={ReopeningInput}
      values={{ reason: "" }}
      {...frame}
    >
      {(form) => (
        <>
          <input type="hidden" name="businessType" value={books.business} />
          <input type="hidden" name="redirectTo" value={frame.back} />
          <input type="hidden" name="id" value={books.closing?.id ?? ""} />
          <p className="col-6">What was closed last, up to {until}, can be changed again.</p>
          <div className="col-6">
            <Field label="Reason" maxLength={200} {...form.field("reason")} />
          </div>
        </>
      )}
    </CheckedDialog>
  );
}
