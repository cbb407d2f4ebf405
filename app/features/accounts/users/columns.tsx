import { ACTIONS_COLUMN, type Column, RowActions } from "~/ui/DataTable/columns";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatDate } from "~/ui/dates";
import { Icon } from "~/ui/Icon";
import type { UserListRow } from "./page.server";

type Row = Pick<UserListRow, keyof UserListRow>;

/** Highest role of a user (docs/product.md, 1). */
const roleName = ({ isAdmin, isManager }: Row) => (isAdmin ? "Admin" : isManager ? "Manager" : "User");
const fullName = ({ firstName, lastName }: Row) => `${firstName} ${lastName}`.trim();

/** Columns of the users screen. */
export function userColumns(params: ListParams, timezone: string): Column<Row>[] {
  return [
    { id: "name", title: "Name", className: "cell-name", cell: (row) => <Person row={row} /> },
    { id: "email", title: "Email", className: "mail", cell: ({ email }) => email },
    {
      id: "phoneNumber",
      title: "Phone",
      className: "cell-phone nowrap",
      cell: ({ phoneNumber }) => phoneNumber || "–",
    },
    { id: "role", title: "Role", className: "cell-role", cell: (row) => <Role row={row} /> },
    {
      id: "isUser",
      title: "Active",
      className: "cell-state",
      cell: (row) => <State isActive={row.isUser} />,
    },
    {
      id: "createdAt",
      title: "Created",
      isNumber: true,
      className: "date",
      cell: ({ createdAt }) => formatDate(createdAt, timezone),
    },
    {
      ...ACTIONS_COLUMN,
      cell: (row) => <RowActions id={row.id} name={fullName(row)} params={params} locks={row.locks} />,
    },
  ];
}

function Person({ row }: { row: Row }) {
  const name = fullName(row);
  return (
    <span title={name}>
      {name}
      <small>{row.email}</small>
    </span>
  );
}

function Role({ row }: { row: Row }) {
  const icon = row.isAdmin ? "shield-check" : row.isManager ? "user-round-cog" : "user-round";
  return (
    <span className={row.isAdmin || row.isManager ? "role is-staff" : "role"}>
      <Icon name={icon} className="i s" />
      {roleName(row)}
    </span>
  );
}

function State({ isActive }: { isActive: boolean }) {
  return <span className={isActive ? "state" : "state off"}>{isActive ? "Active" : "Inactive"}</span>;
}
