import { useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { localTo } from "~/domain/local-to";
import { Checkbox } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { StatusRegion } from "~/ui/Toasts";
import { type FormFailure, useFormKey } from "~/ui/useCheckedForm";
import type { PersonalData } from "./operations.server";
import { ERASURE_DAYS, MAX_COUNTED } from "./schema";

/** Page on which admins download and delete a person's data at their request. */
export function PersonalDataPage({ page }: { page: PersonalData }) {
  const refused = useActionData<FormFailure>();
  return (
    <>
      <StatusRegion message={refused?.failure} answer={refused} />
      <div className="personal-data">
        <StoredData page={page} />
        {page.planned ? (
          <PlannedDeletion page={page} planned={page.planned} />
        ) : (
          <DeletionPanel page={page} />
        )}
      </div>
    </>
  );
}

function StoredData({ page: { person, subject } }: { page: PersonalData }) {
  const { name, email, hasAccount, isCustomer, chats, documents, favourites } = person;
  const query = new URLSearchParams(Object.entries(subject).filter(([, value]) => value !== undefined));
  return (
    <section className="panel" aria-labelledby="stored-title">
      <header>
        <h2 id="stored-title">{name || "Visitor"}</h2>
      </header>
      <div className="panel-text">
        <ul className="fact-list">
          {email && <Fact icon="mail">{email}</Fact>}
          <Fact icon="user-round">{hasAccount ? "Has an account" : "No account"}</Fact>
          {isCustomer && <Fact icon="contact">Record as a customer</Fact>}
          <Fact icon="message-square-text">{countedFew(chats, "chat")}, with messages and files</Fact>
          <Fact icon="receipt-text">{countedFew(documents, "document")}</Fact>
          {favourites !== null && <Fact icon="heart">{counted(favourites, "favourite")}</Fact>}
        </ul>
        <p>
          <a className="btn" href={localTo(`/admin/personal-data.zip?${query}`)} download>
            <Icon name="download" className="i s" />
            Download data
          </a>
        </p>
      </div>
    </section>
  );
}

/** `3 chats`, or `More than 10 chats`. */
const countedFew = (count: number, noun: string) =>
  count > MAX_COUNTED ? `More than ${counted(MAX_COUNTED, noun)}` : counted(count, noun);

function Fact({ icon, children }: { icon: Parameters<typeof Icon>[0]["name"]; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} className="i s" />
      <span className="truncate">{children}</span>
    </li>
  );
}

/** Hidden fields of the subject; the form action does not read the query. */
function SubjectFields({ page: { subject } }: { page: PersonalData }) {
  return Object.entries(subject).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}

function PlannedDeletion({
  page,
  planned,
}: {
  page: PersonalData;
  planned: NonNullable<PersonalData["planned"]>;
}) {
  return (
    <section className="panel" aria-labelledby="planned-title">
      <header>
        <h2 id="planned-title">
          {planned.isOfChats ? "Has a chat that will be deleted on " : "Will be deleted on "}
          {planned.date}
        </h2>
      </header>
      <div className="panel-text">
        <p>{planned.isOwners ? "At the person's own request." : "Requested by the team."}</p>
        <Form method="post">
          <SubjectFields page={page} />
          <SubmitButton intent="keep" busy="Saving..." className="btn">
            Cancel the deletion
          </SubmitButton>
        </Form>
      </div>
    </section>
  );
}

function DeletionPanel({ page }: { page: PersonalData }) {
  return (
    <section className="panel" aria-labelledby="delete-title">
      <header>
        <h2 id="delete-title">Delete personal data</h2>
      </header>
      <div className="panel-text">
        {page.isStaff ? (
          <p>This is an account of the team. Members of staff delete it themselves, under My Account.</p>
        ) : (
          <DeleteForm page={page} />
        )}
      </div>
    </section>
  );
}

function DeleteForm({ page }: { page: PersonalData }) {
  const refused = useActionData<FormFailure>();
  const key = useFormKey(refused);
  return (
    <>
      <p>
        In {ERASURE_DAYS} days the account, customer record, chats and files are deleted for good, and the
        name is removed from documents. Until then, you can cancel it here.
      </p>
      <Form key={key} method="post">
        <SubjectFields page={page} />
        <Checkbox id="confirmed" name="confirmed" required error={refused?.lastResult.error?.confirmed?.[0]}>
          The person has asked for this, and I have checked who they are.
        </Checkbox>
        <div className="personal-data-actions">
          <SubmitButton intent="erase" busy="Saving..." className="btn danger">
            Delete personal data
          </SubmitButton>
          <Link className="btn quiet" to={page.back}>
            Back
          </Link>
        </div>
      </Form>
    </>
  );
}
