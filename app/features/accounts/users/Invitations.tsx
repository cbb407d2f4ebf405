import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { Segments } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { Form } from "~/ui/navigation";
import type { InvitationView } from "./page.server";
import { INVITED_ROLES, InvitationInput, ROLE_LABELS } from "./schema";
import { USER } from "./user";

const { firstName, lastName, email } = USER.fields;
const INVITED = recordOf({ firstName, lastName, email });

const ROLE_OPTIONS = INVITED_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }));

/** Dialog that invites a colleague by mail. */
export function InviteDialog(props: DialogFrame) {
  const { error, initialValue } = props.refused?.lastResult ?? {};
  const chosen = initialValue?.roles;
  return (
    <CheckedDialog
      id="invite"
      title="Invite a Colleague"
      intent="invite"
      submit="Send Invitation"
      schema={InvitationInput}
      {...props}
    >
      {(form) => (
        <>
          <RecordFields record={INVITED} form={form} />
          <div className="col-6">
            <Segments
              id="invite-roles"
              name="roles"
              legend="Role"
              options={ROLE_OPTIONS}
              defaultValue={typeof chosen === "string" ? chosen : "seller"}
              error={error?.roles?.[0]}
            />
            <p className="hint">
              A seller has chats, sales, stock and products, a manager also the books. An admin may do
              everything.
            </p>
          </div>
        </>
      )}
    </CheckedDialog>
  );
}

/** Lists who is invited and has not accepted yet. */
export function Invitations({ rows, hasMore }: { rows: InvitationView[]; hasMore: boolean }) {
  if (rows.length === 0) return null;
  return (
    <section className="panel invitations" aria-labelledby="invitations">
      <header>
        <h2 id="invitations">Invited</h2>
        {hasMore && <p>The {rows.length} that end first. Revoke some to see the others.</p>}
      </header>
      <ul>
        {rows.map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ id, name, email, role, left }: InvitationView) {
  return (
    <li>
      <span className="grow">
        <b>{name}</b>
        <small>{email}</small>
      </span>
      <span>{role}</span>
      <span className="soft">{left}</span>
      <Form method="post" className="button-row" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <button
          type="submit"
          name="intent"
          value="resendInvitation"
          className="btn small"
          aria-label={`Send again to ${name}`}
        >
          Send again
        </button>
        <button
          type="submit"
          name="intent"
          value="revokeInvitation"
          className="btn small"
          aria-label={`Revoke the invitation of ${name}`}
        >
          Revoke
        </button>
      </Form>
    </li>
  );
}
