import { Checkbox } from "~/ui/Checkbox";
import { CheckedDialog } from "~/ui/CheckedDialog";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { Field } from "~/ui/Field";
import type { FormFailure } from "~/ui/form-failure";
import { PasswordField } from "~/ui/PasswordField";
import { useFailureToast } from "~/ui/useFailureToast";
import { useOpenedValues } from "~/ui/useOpenedValues";
import type { UserListRow, UserLocks } from "../operations/user-list.server";
import { EditUserForm, NewUserForm } from "../schema";

const FORM = { id: "user", isEager: true } as const;

/** Making an account: all of it is asked for, and the button waits until all rules hold (back office 5). */
export function NewUserDialog({ mayGiveRoles, ...props }: DialogFrame & { mayGiveRoles: boolean }) {
  const { refused } = props;
  useFailureToast(refused);
  return (
    <CheckedDialog
      {...FORM}
      title="Add User"
      intent="createUser"
      submit="Add User"
      schema={NewUserForm}
      isComplete={(fields) => holds(NewUserForm, fields)}
      {...props}
    >
      {(form) => <NewUserFields form={form} refused={refused} mayGiveRoles={mayGiveRoles} />}
    </CheckedDialog>
  );
}

/**
 * Changing an account: the address is locked, and so is what the reader may not change. What the account was when the
 * form was opened goes along, so that of two people the second is told what the first one changed.
 */
export function EditUserDialog({ user, ...props }: DialogFrame & { user: UserListRow }) {
  const { opened, key } = useOpenedValues(user, props.refused);
  useFailureToast(props.refused);
  return <EditUserFormDialog key={key} user={opened} {...props} />;
}

function EditUserFormDialog({ user, ...props }: DialogFrame & { user: UserListRow }) {
  const { id, firstName, lastName, phoneNumber, isManager, isAdmin, isUser, locks } = user;
  const was = { firstName, lastName, phoneNumber, isManager, isAdmin, isUser };
  return (
    <CheckedDialog
      {...FORM}
      title="Update User"
      intent="updateUser"
      submit="Update"
      schema={EditUserForm}
      values={{ firstName, lastName, phoneNumber }}
      isComplete={(fields) => holds(EditUserForm, fields)}
      {...props}
    >
      {(form) => (
        <>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="boxes" value={boxesOf(locks)} />
          <input type="hidden" name="was" value={JSON.stringify(was)} />
          <EditUserFields form={form} user={user} refused={props.refused} />
        </>
      )}
    </CheckedDialog>
  );
}

interface NewUserFieldsProps {
  form: FieldSource & {
    field(name: "email"): FieldValue;
    secret(name: "password" | "confirmPassword"): Omit<FieldValue, "defaultValue">;
  };
  refused: FormFailure | undefined;
  mayGiveRoles: boolean;
}

function NewUserFields({ form, refused, mayGiveRoles }: NewUserFieldsProps) {
  return (
    <>
      <Names form={form} />
      <div className="col-3 col-6-narrow">
        <Field label="Email" type="email" autoComplete="off" spellCheck={false} {...form.field("email")} />
      </div>
      <Phone form={form} />
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
        <RoleBoxes
          form={form}
          refused={refused}
          reason={mayGiveRoles ? null : "Only an admin may give or take roles."}
        />
      </fieldset>
    </>
  );
}

interface EditUserFieldsProps {
  form: FieldSource & { checkbox(name: "isUser"): { error?: string | undefined } };
  user: UserListRow;
  refused: FormFailure | undefined;
}

function EditUserFields({ form, user, refused }: EditUserFieldsProps) {
  const { email, locks } = user;
  return (
    <>
      <Names form={form} />
      <div className="col-3 col-6-narrow">
        <Field
          id="user-email"
          label="Email"
          type="email"
          value={email}
          disabled
          hint="The email can't be changed."
        />
      </div>
      <Phone form={form} />
      <fieldset className="field col-6 checkbox-row">
        <legend>Roles</legend>
        <Checkbox
          id="user-isUser"
          name="isUser"
          defaultChecked={ticked(locks.active ? undefined : refused, "isUser", user.isUser)}
          disabled={locks.active !== null}
          error={form.checkbox("isUser").error}
        >
          Active
        </Checkbox>
        <RoleBoxes form={form} user={user} refused={refused} reason={locks.roles} />
        {locks.roles === null && locks.active ? <p className="hint">{locks.active}</p> : null}
      </fieldset>
    </>
  );
}

/** Which checkboxes count: a locked one is not sent, and not ticked is not the same as not asked. */
function boxesOf({ roles, active }: UserLocks): string {
  return [roles ? "" : "isManager isAdmin", active ? "" : "isUser"].join(" ").trim();
}

interface FieldValue {
  id: string;
  name: string;
  error?: string | undefined;
  defaultValue: string;
}

interface FieldSource {
  field(name: "firstName" | "lastName" | "phoneNumber"): FieldValue;
  checkbox(name: "isManager" | "isAdmin"): { error?: string | undefined };
}

function Names({ form }: { form: FieldSource }) {
  return (
    <>
      <div className="col-3 col-6-narrow">
        <Field label="First name" autoComplete="off" maxLength={50} {...form.field("firstName")} />
      </div>
      <div className="col-3 col-6-narrow">
        <Field label="Last name" autoComplete="off" maxLength={50} {...form.field("lastName")} />
      </div>
    </>
  );
}

function Phone({ form }: { form: FieldSource }) {
  return (
    <div className="col-3 col-6-narrow">
      <Field label="Phone (optional)" type="tel" autoComplete="off" {...form.field("phoneNumber")} />
    </div>
  );
}

interface RoleBoxesProps {
  form: Pick<FieldSource, "checkbox">;
  user?: UserListRow;
  refused: FormFailure | undefined;
  /** Why roles can't be changed here. */
  reason: string | null;
}

function RoleBoxes({ form, user, refused, reason }: RoleBoxesProps) {
  const box = (name: "isManager" | "isAdmin") => ({
    id: `user-${name}`,
    name,
    // A locked one is not sent.
    defaultChecked: ticked(reason ? undefined : refused, name, user?.[name] ?? false),
    error: form.checkbox(name).error,
    disabled: reason !== null,
  });
  return (
    <>
      <Checkbox {...box("isManager")}>Manager</Checkbox>
      <Checkbox {...box("isAdmin")}>Admin</Checkbox>
      {reason && <p className="hint">{reason}</p>}
    </>
  );
}

/** As it was sent with the form that was refused, else as it is stored. */
function ticked(refused: FormFailure | undefined, name: string, stored: boolean): boolean {
  const sent = refused?.lastResult.initialValue;
  return sent ? sent[name] === "on" : stored;
}

interface Rule {
  safeParse(fields: unknown): { success: boolean };
}

const holds = (rule: Rule, fields: FormData) => rule.safeParse(Object.fromEntries(fields)).success;
