import { dollars } from "~/domain/money";
import { DialogHead, useModal } from "~/ui/dialog-parts";
import { counted } from "~/ui/format";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { CUSTOMER, type CustomerContent } from "../customer";
import type { CustomerPage, Merge } from "./page.server";

interface MergeDialogProps {
  page: CustomerPage;
  merge: Merge;
  /** URL without the dialog. */
  back: string;
}

/** Merges two customers: a person finds the other one, compares both and chooses which stays. */
export function MergeDialog({ page, merge, back }: MergeDialogProps) {
  const modal = useModal({ back });
  return (
    <dialog {...modal} open className="dialog form-dialog merge-dialog" aria-labelledby="dialog-title">
      <DialogHead title={`Merge ${page.customer.name}`} back={back} />
      {merge.other ? <Comparison page={page} other={merge.other} /> : <Search page={page} merge={merge} />}
    </dialog>
  );
}

function Search({ page: { duplicates }, merge: { q, candidates } }: Omit<MergeDialogProps, "back">) {
  const found = q ? candidates : duplicates;
  return (
    <div className="form">
      <SearchForm q={q} />
      <ul className="col-6 merge-found" aria-label={q ? "Found" : "Same email"}>
        {found.map(({ id, name, email, sales }) => (
          <li key={id}>
            <Link
              className="quiet-link"
              to={`?${new URLSearchParams({ merge: id })}`}
              replace
              preventScrollReset
            >
              {name}
            </Link>
            <small>{[email, counted(sales, "sale")].filter(Boolean).join(", ")}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="col-6 soft">
          {q ? "Nobody else was found." : "Search the customer who is the same person."}
        </p>
      )}
    </div>
  );
}

function SearchForm({ q }: { q: string }) {
  return (
    <Form method="get" className="col-6 merge-search" role="search" preventScrollReset>
      <input type="hidden" name="merge" value="" />
      <input
        className="input"
        type="search"
        name="q"
        defaultValue={q}
        aria-label="Find the other customer"
        placeholder="Name, email, phone"
        autoComplete="off"
      />
      <button type="submit" className="btn">
        Search
      </button>
    </Form>
  );
}

type Side = NonNullable<Merge["other"]>;

type Name = keyof CustomerContent;
/** Fields to choose from; the rest of both customers is joined. */
const CHOICES = CUSTOMER.columns.filter(({ column }) => column !== "notes");

const FACTS: [label: string, value: (side: Side) => string][] = [
  ["Account", ({ hasAccount }) => (hasAccount === 1 ? "Yes" : "")],
  ["Chats", ({ chats }) => String(chats)],
  ["Sales", ({ sales }) => String(sales)],
  ["Total", ({ totalCents }) => dollars(totalCents)],
];

function Comparison({ page: { customer }, other }: { page: CustomerPage; other: Side }) {
  const sides = [customer, other];
  return (
    <Form method="post" className="form" preventScrollReset>
      <input type="hidden" name="other" value={other.id} />
      <p className="col-6 soft">
        Choose each field. Chats, holds, documents and the account of both become one customer. This can’t be
        undone.
      </p>
      <table className="col-6 merge-table">
        <Names sides={sides} />
        <tbody>
          {CHOICES.map(({ column, field: { label } }) => (
            <ChoiceRow key={column} field={column as Name} label={label} own={customer} other={other} />
          ))}
          <NotesRow own={customer.notes} other={other.notes} />
          {FACTS.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {sides.map((side) => (
                <td key={side.id}>{value(side) || <Nothing />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="col-6 button-row">
        <SubmitButton intent="merge" busy="Merging..." className="btn primary">
          Merge both
        </SubmitButton>
      </div>
    </Form>
  );
}

function Names({ sides }: { sides: { id: string; name: string }[] }) {
  return (
    <thead>
      <tr>
        <td />
        {sides.map(({ id, name }) => (
          <th key={id} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const Nothing = () => <span className="soft">–</span>;

interface ChoiceRowProps {
  field: Name;
  label: string;
  own: CustomerContent;
  other: CustomerContent;
}

/** Offers both values of a field; equal ones, and one that stands alone, need no choice. */
function ChoiceRow({ field, label, ...sides }: ChoiceRowProps) {
  const [own, other] = [sides.own[field], sides.other[field]];
  const isOpen = own !== "" && other !== "" && own !== other;
  return (
    <tr>
      <th scope="row">{label}</th>
      {([own, other] as const).map((value, i) => {
        const side = i === 0 ? "own" : "other";
        return (
          <td key={side}>
            {isOpen ? (
              <label className="merge-choice">
                <input type="radio" name={field} value={side} defaultChecked={i === 0} />
                <span>{value}</span>
              </label>
            ) : (
              value || <Nothing />
            )}
          </td>
        );
      })}
    </tr>
  );
}

function NotesRow({ own, other }: { own: string; other: string }) {
  return (
    <tr>
      <th scope="row">Notes</th>
      <td>{own || <Nothing />}</td>
      <td>
        {other || <Nothing />}
        {own !== "" && other !== "" && (
          <select className="select" name="notes" aria-label="Notes to keep" defaultValue="both">
            <option value="both">Keep both</option>
            <option value="own">Keep the left ones</option>
            <option value="other">Keep the right ones</option>
          </select>
        )}
      </td>
    </tr>
  );
}
