import { Form, Link } from "@remix-run/react";
import { DialogHead, useModal } from "~/ui/modal";
import { dollars } from "~/ui/money";
import { SubmitButton } from "~/ui/SubmitButton";
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
      <ul className="col-6 merge-found" aria-label={q ? "Found" : "Same e-mail"}>
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
            <small>{[email, sales === 1 ? "1 sale" : `${sales} sales`].filter(Boolean).join(", ")}</small>
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
        placeholder="Name, e-mail, phone"
        autoComplete="off"
      />
      <button type="submit" className="btn">
        Search
      </button>
    </Form>
  );
}

type Side = NonNullable<Merge["other"]>;

const ROWS: [label: string, value: (side: Side) => string][] = [
  ["Name", ({ name }) => name],
  ["E-mail", ({ email }) => email],
  ["Phone", ({ phoneNumber }) => phoneNumber],
  ["Account", ({ userId }) => (userId ? "Yes" : "")],
  ["Chats", ({ chats }) => String(chats)],
  ["Sales", ({ sales }) => String(sales)],
  ["Total", ({ totalCents }) => dollars(totalCents)],
  ["Notes", ({ notes }) => notes],
];

function Comparison({ page: { customer }, other }: { page: CustomerPage; other: Side }) {
  const sides = [customer, other];
  return (
    <div className="form">
      <p className="col-6 soft">
        One of the two stays. It takes over chats, holds and documents of the other and what it lacks itself;
        notes are joined. This can’t be undone.
      </p>
      <table className="col-6 merge-table">
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
        <tbody>
          {ROWS.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {sides.map((side) => (
                <td key={side.id}>{value(side) || <span className="soft">–</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <Keep keep={customer} drop={other} />
            <Keep keep={other} drop={customer} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Keep({ keep, drop }: { keep: Pick<Side, "id" | "name">; drop: Pick<Side, "id"> }) {
  return (
    <td>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="keep" value={keep.id} />
        <input type="hidden" name="drop" value={drop.id} />
        <SubmitButton intent="merge" busy="Merging..." className="btn">
          {`Keep ${keep.name}`}
        </SubmitButton>
      </Form>
    </td>
  );
}
