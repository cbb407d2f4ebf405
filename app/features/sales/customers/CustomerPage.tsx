import { useActionData, useLocation } from "@remix-run/react";
import { dollars } from "~/domain/money";
import { ObjectHistory } from "~/features/audit/ObjectHistory";
import { OpenedValue } from "~/records/form-state";
import { TextArea } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";
import { MAX_NOTES_LENGTH } from "../customer";
import { customerPath, recordUrl } from "../urls";
import { OpenNow, Timeline } from "./CustomerActivity";
import { CustomerDialog } from "./CustomerDialog";
import { MergeDialog } from "./MergeDialog";
import { PersonalDataLink } from "./PersonalDataLink";
import type { CustomerPage as Page } from "./page.server";

/** Page of a customer: what is open first, then the past. */
export function CustomerPage({ page }: { page: Page }) {
  const { customer, merge, isEditing } = page;
  const refused = useActionData<RefusedForm>();
  const { pathname, search } = useLocation();
  const dialog = { back: pathname, action: pathname + search, refused };
  return (
    <>
      <StatusRegion message={isEditing ? null : refused?.failure} answer={refused} />
      <Actions page={page} />
      <div className="record-page customer-page">
        <div className="record-side">
          <About page={page} />
          <Totals page={page} />
          <Chats page={page} />
          <ObjectHistory id={customer.id} changes={page.changes} className="panel" />
        </div>
        <div className="record-main">
          <OpenNow page={page} />
          <Timeline page={page} />
        </div>
      </div>
      {isEditing && <CustomerDialog customer={customer} newId="" {...dialog} />}
      {merge && <MergeDialog page={page} merge={merge} back={pathname} />}
    </>
  );
}

function Actions({ page: { customer, chats } }: { page: Page }) {
  const [chat] = chats;
  return (
    <div className="record-actions">
      <Link className="btn" to="?merge=" preventScrollReset>
        Merge…
      </Link>
      {chat && (
        <Link className="btn" to={`/admin/chat?chat=${encodeURIComponent(chat.id)}`}>
          <Icon name="message-square-text" className="i s" />
          Open chat
        </Link>
      )}
      <Link className="btn primary" to={recordUrl({ customerId: customer.id })}>
        Record sale
      </Link>
    </div>
  );
}

function About({ page }: { page: Page }) {
  const { customer, duplicates } = page;
  const { email, phoneNumber, hasAccount, since } = customer;
  return (
    <section className="panel" aria-labelledby="about-title">
      <header>
        <h2 id="about-title">About</h2>
        <Link className="tool-button sum" to="?edit=1" aria-label="Edit" title="Edit" preventScrollReset>
          <Icon name="pencil" className="i s" />
        </Link>
      </header>
      <ul className="fact-list">
        <li>
          <Icon name="mail" className="i s" label="Email" />
          <span className="truncate">{email || <span className="soft">No email</span>}</span>
        </li>
        <li>
          <Icon name="phone" className="i s" label="Phone" />
          {phoneNumber || <span className="soft">No phone</span>}
        </li>
        <li>
          <Icon name="user-round" className="i s" label="Account" />
          {hasAccount === 1 ? "Has an account" : "No account"}
        </li>
        <li>
          <Icon name="calendar-range" className="i s" />
          {`Since ${since}`}
        </li>
      </ul>
      {duplicates.length > 0 && <Duplicates page={page} />}
      <Notes page={page} />
      {page.isAdmin && (
        <p className="customer-privacy">
          <PersonalDataLink subject={{ customer: customer.id }} />
        </p>
      )}
    </section>
  );
}

function Duplicates({ page: { duplicates } }: { page: Page }) {
  return (
    <p className="customer-duplicates">
      <Icon name="circle-alert" className="i s" />
      <span>
        Same email:{" "}
        {duplicates.map(({ id, name }) => (
          <span key={id}>
            <Link className="quiet-link" to={customerPath(id)}>
              {name}
            </Link>{" "}
            (
            <Link className="quiet-link" to={`?${new URLSearchParams({ merge: id })}`} preventScrollReset>
              compare
            </Link>
            ){" "}
          </span>
        ))}
      </span>
    </p>
  );
}

/** Form of the notes, which stays on the page. */
function Notes({ page: { customer, merge, isEditing } }: { page: Page }) {
  const answer = useActionData<RefusedForm>();
  // The dialogs have a field of the same name.
  const refused = merge || isEditing ? undefined : answer;
  const key = useFormKey(refused);
  const { pathname } = useLocation();
  const typed: unknown = refused?.lastResult.initialValue?.notes;
  return (
    <Form key={key} method="post" action={pathname} className="panel-form" preventScrollReset>
      <OpenedValue value={JSON.stringify({ notes: customer.notes })} refused={refused} />
      <TextArea
        id="notes"
        name="notes"
        label="Notes"
        rows={3}
        maxLength={MAX_NOTES_LENGTH}
        defaultValue={typeof typed === "string" ? typed : customer.notes}
        error={refused?.lastResult.error?.notes?.[0]}
      />
      <SubmitButton intent="change" busy="Saving..." className="btn small">
        Save notes
      </SubmitButton>
    </Form>
  );
}

function Totals({ page: { sums } }: { page: Page }) {
  return (
    <section className="panel record-table" aria-labelledby="totals-title">
      <header>
        <h2 id="totals-title">Totals</h2>
      </header>
      <table className="small-table">
        <tbody>
          <tr>
            <th scope="row">{counted(sums.sales, "sale")}</th>
            <td className="num">{dollars(sums.salesCents)}</td>
          </tr>
          {sums.credits > 0 && (
            <tr>
              <th scope="row">{counted(sums.credits, "credit note")}</th>
              <td className="num">{dollars(sums.creditsCents)}</td>
            </tr>
          )}
          {sums.lastSale && (
            <tr>
              <th scope="row">Last sale</th>
              <td className="num">{sums.lastSale}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Net sales</th>
            <td className="num">{dollars(sums.salesCents + sums.creditsCents)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Chats({ page: { chats, customer } }: { page: Page }) {
  if (chats.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="chats-title">
      <header>
        <h2 id="chats-title">{counted(customer.chats, "chat")}</h2>
      </header>
      <ul className="customer-chats">
        {chats.map(({ id, userName, lastMessage, at }) => (
          <li key={id}>
            <Link className="quiet-link" to={`/admin/chat?chat=${encodeURIComponent(id)}`}>
              {userName || "Visitor"}
            </Link>
            <time>{at}</time>
            <small className="truncate">{lastMessage}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
