import { ObjectHistory, type RecentChanges } from "~/features/audit/ObjectHistory";
import { OpenedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { Checkbox, Field, PasswordField } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { Link } from "~/ui/navigation";
import { type CheckboxValue, type FieldValue, type RefusedForm, useOpenedValues } from "~/ui/useCheckedForm";
import type { UserListRow, UserLocks } from "./page.server";
import { editUserForm, NewUserForm } from "./schema";
import { EDITED_USER, USER } from "./user";

const FORM = { id: "user", isEager: true } as const;

/** Dialog that creates a user; its button is enabled once every field is valid. */
export function NewUserDialog({ mayGiveRoles, ...props }: DialogFrame & { mayGiveRoles: boolean }) {
  const { refused } = props;
  return (
    <CheckedDialog
      {...FORM}
      title="Add User"
      intent="createUser"
      submit="Add User"
      schema={NewUserForm}
      isComplete={(fields) => isValid(NewUserForm, fields)}
      {...props}
    >
      {(form) => <NewUserFields form={form} refused={refused} mayGiveRoles={mayGiveRoles} />}
    </CheckedDialog>
  );
}

interface EditUserDialogProps extends DialogFrame {
  user: UserListRow;
  changes: RecentChanges;
  /** Address of the dialog that resets their second factor. */
  resetUrl: string;
}

/**
 * Dialog that edits a user. The e-mail address and the fields in `locks` are disabled. The form also sends the values
 * that it was opened with, so that the server can reject a stale edit.
 */
export function EditUserDialog({ user, ...props }: EditUserDialogProps) {
  const { opened, refused, key } = useOpenedValues(user, props.refused);
  return <EditUserFormDialog key={key} {...props} user={opened} refused={refused} />;
}

function EditUserFormDialog({ user, changes, resetUrl, ...props }: EditUserDialogProps) {
  const { id, locks, phoneNumber } = user;
  const schema = editUserForm(phoneNumber);
  return (
    <CheckedDialog
      {...FORM}
      title="Update User"
      intent="updateUser"
      submit="Update"
      schema={schema}
      values={EDITED_USER.formValues(user)}
      isComplete={(fields) => isValid(schema, fields)}
      {...props}
    >
      {(form) => (
        <>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="boxes" value={enabledCheckboxes(locks)} />
          <OpenedValue value={JSON.stringify(EDITED_USER.pick(user))} refused={props.refused} />
          <EditUserFields form={form} refused={props.refused} {...{ user, changes, resetUrl }} />
        </>
      )}
    </CheckedDialog>
  );
}

interface NewUserFieldsProps {
  form: FieldSource & { secret(name: "password" | "confirmPassword"): Omit<FieldValue, "defaultValue"> };
  refused: RefusedForm | undefined;
  mayGiveRoles: boolean;
}

/** Roles stand apart from the record's other controls. */
const ROLES = { isSeller: null, isManager: null, isAdmin: null, isUser: null };

function NewUserFields({ form, refused, mayGiveRoles }: NewUserFieldsProps) {
  return (
    <>
      <RecordFields record={USER} form={form} own={ROLES} />
      <div className="col-3 col-6-narrow">
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters with a digit, a lowercase, an uppercase and one of @$!%*?&"
          {...form.secret("password")}
        />
      </div>
      <div className="col-3 col-6-narrow">
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          {...form.secret("confirmPassword")}
        />
      </div>
      <fieldset className="field col-6 checkbox-row">
        <legend>Roles</legend>
        <RoleCheckboxes
          form={form}
          refused={refused}
          reason={mayGiveRoles ? null : "Only an admin may give or take roles."}
        />
      </fieldset>
    </>
  );
}

interface EditUserFieldsProps {
  form: FieldSource;
  user: UserListRow;
  changes: RecentChanges;
  resetUrl: string;
  refused: RefusedForm | undefined;
}

function EditUserFields({ form, user, changes, resetUrl, refused }: EditUserFieldsProps) {
  const { locks } = user;
  return (
    <>
      <RecordFields record={USER} form={form} own={{ ...ROLES, email: <FixedEmail of={user} /> }} />
      <fieldset className="field col-6 checkbox-row">
        <legend>Roles</legend>
        <Checkbox
          id="user-isUser"
          name="isUser"
          defaultChecked={isTicked(locks.active ? undefined : refused, "isUser", user.isUser)}
          disabled={locks.active !== null}
          error={form.checkbox("isUser").error}
        >
          Active
        </Checkbox>
        <RoleCheckboxes form={form} user={user} refused={refused} reason={locks.roles} />
        {locks.roles === null && locks.active ? <p className="hint">{locks.active}</p> : null}
      </fieldset>
      {user.resetsFactor && (
        <p className="col-6">
          Signs in with a second factor.{" "}
          <Link className="link" to={resetUrl}>
            Reset it
          </Link>
        </p>
      )}
      <ObjectHistory id={user.id} changes={changes} className="col-6" />
    </>
  );
}

/** Names the enabled checkboxes, so that the server can tell an unticked one from a locked one. */
function enabledCheckboxes({ roles, active }: UserLocks): string {
  return [roles ? "" : "isSeller isManager isAdmin", active ? "" : "isUser"].join(" ").trim();
}

interface FieldSource {
  field(name: string): FieldValue;
  checkbox(name: string): CheckboxValue;
}

const FixedEmail = ({ of: { email } }: { of: UserListRow }) => (
  <Field
    id="user-email"
    label="Email"
    type="email"
    value={email}
    disabled
    hint="The email can't be changed."
  />
);

interface RoleCheckboxesProps {
  form: Pick<FieldSource, "checkbox">;
  user?: UserListRow;
  refused: RefusedForm | undefined;
  /** Reason why roles are locked; null when they are not. */
  reason: string | null;
}

function RoleCheckboxes({ form, user, refused, reason }: RoleCheckboxesProps) {
  const checkbox = (name: "isSeller" | "isManager" | "isAdmin") => ({
    id: `user-${name}`,
    name,
    // A disabled checkbox is not sent, so a refused form says nothing about it.
    defaultChecked: isTicked(reason ? undefined : refused, name, user?.[name] ?? false),
    error: form.checkbox(name).error,
    disabled: reason !== null,
  });
  return (
    <>
      <Checkbox {...checkbox("isSeller")}>Seller</Checkbox>
      <Checkbox {...checkbox("isManager")}>Manager</Checkbox>
      <Checkbox {...checkbox("isAdmin")}>Admin</Checkbox>
      {reason && <p className="hint">{reason}</p>}
    </>
  );
}

/** Returns the checkbox state of the refused form, or the stored one. */
function isTicked(refused: RefusedForm | undefined, name: string, stored: boolean): boolean {
  const sent = refused?.lastResult.initialValue;
  return sent ? sent[name] === "on" : stored;
}

interface Schema {
  safeParse(fields: unknown): { success: boolean };
}

const isValid = (schema: Schema, fields: FormData) => schema.safeParse(Object.fromEntries(fields)).success;
