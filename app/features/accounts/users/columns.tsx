import { Link } from "@remix-run/react";
import { Lock, Pencil, ShieldCheck, Trash2, UserRound, UserRoundCog } from "lucide-react";
import type { Column } from "~/ui/DataTable/columns";
import { type ListPlace, placeAddress } from "~/ui/DataTable/place";
import { onKey } from "~/ui/DataTable/useTableKeys";
import { dateOf } from "~/ui/dates";
import type { UserLine } from "../operations/user-list.server";

type Row = Pick<UserLine, keyof UserLine>;

/** Admin if isAdmin, else Manager if isManager, else User (back office 2, Users). */
const roleName = ({ isAdmin, isManager }: Row) => (isAdmin ? "Admin" : isManager ? "Manager" : "User");
const fullName = ({ firstName, lastName }: Row) => `${firstName} ${lastName}`.trim();

/** The users' screen, column by column. */
export function userColumns(place: ListPlace, timezone: string): Column<Row>[] {
  return [
    { id: "name", title: "Name", className: "desc", cell: (row) => <Person row={row} /> },
    { id: "email", title: "Email", className: "mail", cell: ({ email }) => email },
    {
      id: "phoneNumber",
      title: "Phone",
      className: "tel nowrap",
      cell: ({ phoneNumber }) => phoneNumber || "–",
    },
    { id: "role", title: "Role", className: "rolec", cell: (row) => <Role row={row} /> },
    { id: "isUser", title: "Active", className: "statec", cell: (row) => <State isActive={row.isUser} /> },
    {
      id: "createdAt",
      title: "Created",
      isNumber: true,
      className: "date",
      cell: ({ createdAt }) => dateOf(createdAt, timezone),
    },
    {
      id: "actions",
      title: "Actions",
      isFixed: true,
      isQuiet: true,
      className: "actc",
      cell: (row) => <Acts row={row} place={place} />,
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
  const Icon = row.isAdmin ? ShieldCheck : row.isManager ? UserRoundCog : UserRound;
  return (
    <span className={row.isAdmin || row.isManager ? "role is-staff" : "role"}>
      <Icon className="i s" aria-hidden="true" />
      {roleName(row)}
    </span>
  );
}

function State({ isActive }: { isActive: boolean }) {
  return <span className={isActive ? "state" : "state off"}>{isActive ? "Active" : "Inactive"}</span>;
}

function Acts({ row, place }: { row: Row; place: ListPlace }) {
  const { id, locks } = row;
  const name = fullName(row);
  return (
    <span className="acts">
      {locks.edit ? (
        <Locked reason={locks.edit} />
      ) : (
        <Link
          className="ico"
          to={placeAddress(place, {}, { kind: "edit", id })}
          aria-label={`Update ${name}`}
          title="Update (E)"
          preventScrollReset
          {...onKey("e")}
        >
          <Pencil className="i s" aria-hidden="true" />
        </Link>
      )}
      {locks.delete ? (
        <Locked reason={locks.delete} />
      ) : (
        <Link
          className="ico bad"
          to={placeAddress(place, {}, { kind: "delete", id })}
          aria-label={`Delete ${name}`}
          title="Delete (Del)"
          preventScrollReset
          {...onKey("delete")}
        >
          <Trash2 className="i s" aria-hidden="true" />
        </Link>
      )}
    </span>
  );
}

/** What the reader may not do, and why. */
function Locked({ reason }: { reason: string }) {
  return (
    <span className="locked" title={reason}>
      <Lock className="i s" aria-hidden="true" />
      <span className="sr">{reason}</span>
    </span>
  );
}
