import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { Segments } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { Form, Link } from "~/ui/navigation";
import type { InvitationView } from "./page.server";
import { INVITED_ROLES, InvitationInput, REVOKE_DIALOG, ROLE_LABELS } from "./schema";
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

interface InvitationsProps {
  rows: InvitationView[];
  hasMore: boolean;
  params: ListParams;
}

/** Asks before an invitation is revoked. */
export function RevokeDialog({ row, back }: { row: InvitationView; back: string }) {
  return (
    <ConfirmDialog
      title="Revoke Invitation"
      message="The link that was sent stops working at once. You can invite the same address again."
      itemName={`${row.name}, ${row.email}`}
      intent="revokeInvitation"
      fields={{ id: row.id }}
      back={back}
      confirm="Revoke"
      busy="Revoking..."
    />
  );
}

/** Lists who is invited and has not accepted yet. */
export function Invitations({ rows, hasMore, params }: InvitationsProps) {
  if (rows.length === 0) return null;
  return (
    <section className="panel invitations" aria-labelledby="invitations">
      <header>
        <h2 id="invitations">Invited</h2>
        {hasMore && <p>The {rows.length} that end first. Revoke some to see the others.</p>}
      </header>
      <ul>
        {rows.map((row) => (
          <Row
            key={row.id}
            {...row}
            revokeUrl={listUrl(params, {}, { kind: "dialog", id: REVOKE_DIALOG + row.id })}
          />
        ))}
      </ul>
    </section>
  );
}

function Row({ id, name, email, role, left, revokeUrl }: InvitationView & { revokeUrl: string }) {
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
        <Link
          className="btn small"
          to={revokeUrl}
          aria-label={`Revoke the invitation of ${name}`}
          preventScrollReset
        >
          Revoke
        </Link>
      </Form>
    </li>
  );
}
