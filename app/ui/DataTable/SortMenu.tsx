import { Link } from "@remix-run/react";
import { Icon } from "../Icon";
import { popover, popoverTrigger } from "../popover";
import { type Direction, type ListParams, listUrl } from "./list-params";

/** An order by name, ascending and descending, in words. */
export interface SortChoice {
  id: string;
  title: string;
}

const ORDERS = "list-orders";
const WORDS: Record<Direction, string> = { asc: "ascending", desc: "descending" };

/** The orders as a menu, for phones, where rows are cards and have no titles to press. */
export function SortMenu({ params, sorts }: { params: ListParams; sorts: SortChoice[] }) {
  const current = sorts.find(({ id }) => id === params.sort);
  const arrow = params.dir === "asc" ? "arrow-up" : "arrow-down";
  return (
    <>
      <button {...popoverTrigger(ORDERS)} className="btn sort-btn">
        <Icon name={arrow} className="i s" />
        {current?.title ?? "Sort"}
        <span className="visually-hidden">, {WORDS[params.dir]}</span>
      </button>
      <div {...popover(ORDERS)} className="filter-popover sorts" role="dialog" aria-label="Order">
        <div className="filter-presets">
          {sorts.flatMap(({ id, title }) =>
            (["asc", "desc"] as const).map((dir) => (
              <Link
                key={id + dir}
                to={listUrl(params, { sort: id, dir })}
                aria-current={params.sort === id && params.dir === dir ? "true" : undefined}
                preventScrollReset
              >
                {title}, {WORDS[dir]}
              </Link>
            )),
          )}
        </div>
      </div>
    </>
  );
}
