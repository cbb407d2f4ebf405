import { Link } from "@remix-run/react";
import { Pencil, Trash2 } from "lucide-react";
import { type ListPlace, placeAddress } from "~/ui/DataTable/place";
import { onKey } from "~/ui/DataTable/useTableKeys";

interface RowActsProps {
  id: string;
  /** What the row is called. */
  name: string;
  place: ListPlace;
}

/** Update and delete: links to their dialogs. */
export function RowActs({ id, name, place }: RowActsProps) {
  return (
    <span className="acts">
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
    </span>
  );
}
