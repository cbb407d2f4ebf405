import { useMemo } from "react";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { ACTIONS_COLUMN, type Column, RowActions } from "~/ui/DataTable/columns";
import { ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { formatDate } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { StatusRegion } from "~/ui/StatusRegion";
import { Invitations, InviteDialog, RevokeDialog } from "./Invitations";
import type { UserListRow, UsersScreenData } from "./page.server";
import { FACTOR_DIALOG, REVOKE_DIALOG, roleName } from "./schema";
import { EditUserDialog, NewUserDialog } from "./UserDialog";

export function UsersScreen({ data }: { data: UsersScreenData }) {
  const { params, rows, total, failure, timezone, mayGiveRoles, invitations, hasMoreInvitations } = data;
  const columns = useMemo(() => userColumns(params, timezone), [params, timezone]);
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <Invitations rows={invitations} hasMore={hasMoreInvitations} params={params} />
      <ListScreen
        label="Users"
        search="Search names and emails"
        actions={
          <>
            {mayGiveRoles && (
              <ListAction to={listUrl(params, {}, { kind: "dialog", id: "invite" })}>
                <Icon name="mail" className="i s" />
                Invite
              </ListAction>
            )}
            <ListAction to={add}>
              <Icon name="plus" className="i s" />
              Add User
            </ListAction>
          </>
        }
        maxHeight={520}
        params={params}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "users", children: <p>No users yet.</p> }}
      />
      <OpenDialog data={data} />
    </>
  );
}

function OpenDialog({ data }: { data: UsersScreenData }) {
  const { dialog, target, changes, params, mayGiveRoles, invitations } = data;
  const common = useDialog(params);
  const { refused } = common;
  if (dialog?.kind === "dialog" && dialog.id === "new")
    return <NewUserDialog {...common} mayGiveRoles={mayGiveRoles} />;
  if (dialog?.kind === "dialog" && dialog.id === "invite" && mayGiveRoles)
    return <InviteDialog {...common} />;
  const invited = invitations.find(({ id }) => dialog?.id === REVOKE_DIALOG + id);
  if (invited) return <RevokeDialog row={invited} back={common.back} />;
  if (dialog?.kind === "dialog" && target?.resetsFactor)
    return <ResetFactorDialog target={target} back={common.back} />;
  if (dialog?.kind === "edit" && target && !target.locks.edit)
    return (
      <EditUserDialog
        key={target.id}
        user={target}
        changes={changes}
        resetUrl={listUrl(params, {}, { kind: "dialog", id: `${FACTOR_DIALOG}${target.id}` })}
        {...common}
      />
    );
  if (dialog?.kind === "delete" && target && !target.locks.delete)
    return (
      <ConfirmDialog
        title="Delete User"
        message="Are you sure you want to delete this user? This action cannot be undone."
        itemName={`${target.firstName} ${target.lastName}, ${target.email}`}
        intent="deleteUser"
        fields={{ id: target.id }}
        back={common.back}
      />
    );
  return <StatusRegion message={refused?.failure ?? closedReason(data)} answer={refused ?? data} />;
}

const ResetFactorDialog = ({ target, back }: { target: UserListRow; back: string }) => (
  <ConfirmDialog
    title="Reset the second factor"
    message="They sign in with their password alone until they set it up again. Make sure first that it is them who asks. Their sessions end, and a mail tells them."
    itemName={`${target.firstName} ${target.lastName}, ${target.email}`}
    intent="resetFactor"
    fields={{ id: target.id }}
    back={back}
    confirm="Reset"
    busy="Resetting..."
  />
);

/** Explains why the dialog in the URL is not open; null when no row is named. */
function closedReason({ dialog, target }: UsersScreenData): string | null {
  if (dialog?.kind !== "edit" && dialog?.kind !== "delete") return null;
  if (!target) return "User not found";
  return dialog.kind === "edit" ? target.locks.edit : target.locks.delete;
}

const fullName = ({ firstName, lastName }: UserListRow) => `${firstName} ${lastName}`.trim();

export function userColumns(params: ListParams, timezone: string): Column<UserListRow>[] {
  return [
    { id: "name", title: "Name", className: "cell-name", card: "title", cell: (row) => <Person row={row} /> },
    { id: "email", title: "Email", className: "mail cell-folded", card: "line", cell: ({ email }) => email },
    {
      id: "phoneNumber",
      title: "Phone",
      className: "cell-folded nowrap",
      cell: ({ phoneNumber }) => phoneNumber || "–",
    },
    { id: "role", title: "Role", card: "side", cell: (row) => <Role row={row} /> },
    {
      id: "isUser",
      title: "Active",
      card: "meta",
      cell: (row) => <State isActive={row.isUser} />,
    },
    {
      id: "createdAt",
      title: "Created",
      isNumber: true,
      cell: ({ createdAt }) => formatDate(createdAt, timezone),
    },
    {
      ...ACTIONS_COLUMN,
      cell: (row) => <RowActions id={row.id} name={fullName(row)} params={params} locks={row.locks} />,
    },
  ];
}

function Person({ row }: { row: UserListRow }) {
  const name = fullName(row);
  return (
    <span title={name}>
      {name}
      <small>{row.email}</small>
    </span>
  );
}

function Role({ row }: { row: UserListRow }) {
  const isStaff = row.isAdmin || row.isManager || row.isSeller;
  const icon = row.isAdmin ? "shield-check" : isStaff ? "user-round-cog" : "user-round";
  return (
    <span className={isStaff ? "role is-staff" : "role"}>
      <Icon name={icon} className="i s" />
      {roleName(row)}
    </span>
  );
}

function State({ isActive }: { isActive: boolean }) {
  return <span className={isActive ? "state" : "state off"}>{isActive ? "Active" : "Inactive"}</span>;
}
