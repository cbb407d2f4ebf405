import { useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { localTo } from "~/domain/local-to";
import { Checkbox } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";
import type { PersonalData } from "./operations.server";
import { ERASURE_DAYS, MAX_COUNTED, MAX_PLANS } from "./schema";

/** Page on which admins download and delete a person's data at their request. */
export function PersonalDataPage({ page }: { page: PersonalData }) {
  const refused = useActionData<RefusedForm>();
  return (
    <>
      <StatusRegion message={refused?.failure} answer={refused} />
      <div className="personal-data">
        <StoredData page={page} />
        {page.plans.map((plan) => (
          <PlannedDeletion key={plan.id} plan={plan} />
        ))}
        {page.hasMorePlans && <p>More than {counted(MAX_PLANS, "deletion")} are planned.</p>}
        {page.plans.length === 0 && <DeletionPanel page={page} />}
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

/** Formats a count that ends at MAX_COUNTED: `3 chats`, or `More than 10 chats`. */
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

/** Hidden fields of the customer or chat that the page is about; the form action does not read the query. */
function SubjectFields({ page: { subject } }: { page: PersonalData }) {
  return Object.entries(subject).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}

type Plan = PersonalData["plans"][number];

/** Names who has asked for a deletion; one that covers only a chat of this person is the request of another account. */
function requestOf({ isOwners, deletesOnlyChat }: Plan): string {
  if (!isOwners) return "Requested by the team.";
  return deletesOnlyChat ? "At another person's own request." : "At the person's own request.";
}

function PlannedDeletion({ plan }: { plan: Plan }) {
  const titleId = `plan-${plan.id}`;
  const subjectId = `${titleId}-subject`;
  return (
    <section className="panel" aria-labelledby={`${titleId} ${subjectId}`}>
      <header>
        <h2 id={titleId}>
          {plan.deletesOnlyChat ? "Has a chat that will be deleted on " : "Will be deleted on "}
          {plan.date}
        </h2>
      </header>
      <div className="panel-text">
        <p id={subjectId}>{plan.subject}</p>
        <p>{requestOf(plan)}</p>
        <p>
          Planned on {plan.plannedAt}, with the id <code>{plan.id}</code>.
        </p>
        {plan.hasBegun ? (
          <p>The deletion has begun. The next night completes it.</p>
        ) : (
          <Form method="post">
            <input type="hidden" name="plan" value={plan.id} />
            <SubmitButton intent="keep" busy="Saving..." className="btn">
              Cancel the deletion
            </SubmitButton>
          </Form>
        )}
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
  const refused = useActionData<RefusedForm>();
  const key = useFormKey(refused);
  return (
    <>
      <p>
        In {ERASURE_DAYS} days the account, customer record, chats and files are deleted for good, and the
        name is removed from documents. Until then, you can cancel it here. A deposit on a quote comes first:
        the deletion waits until the quote is sold or withdrawn.
      </p>
      <Form key={key} method="post">
        <SubjectFields page={page} />
        <input type="hidden" name="person" value={page.key} />
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
