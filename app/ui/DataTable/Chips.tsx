import { Link } from "@remix-run/react";
import { Icon } from "../Icon";
import type { Chip } from "./filters";
import { type ListParams, listUrl } from "./list-params";

interface ChipsProps {
  params: ListParams;
  chips: Chip[];
  /** Whether one press takes away all of it. */
  hasClear: boolean;
}

/** What the list is narrowed to, each taken away by a press. */
export function Chips({ params, chips, hasClear }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Filters">
      {chips.map(({ words, names }) => (
        <li key={words}>
          <Link
            className="filter-chip"
            to={listUrl(params, { filters: without(params.filters, names) })}
            aria-label={`Clear ${words}`}
            preventScrollReset
          >
            {words}
            <Icon name="x" className="i s" />
          </Link>
        </li>
      ))}
      {hasClear && (
        <li>
          <Link className="btn quiet" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

function without(filters: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
}
