import type { ReactNode } from "react";
import { formatDay } from "~/domain/day-text";
import { AUTHOR_OPTIONS, auditUrl, OBJECT_KINDS } from "~/features/audit/params";
import { FilterChips, type SelectFilter } from "~/ui/DataTable/filters";
import { ListTools } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams } from "~/ui/DataTable/list-params";
import { EmptyList } from "~/ui/DataTable/TableRows";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { AuditRows } from "./AuditRows";
import type { AuditScreenData } from "./operations.server";

/** Shows who changed what, newest first, with the filters of the URL. */
export function AuditScreen({ data }: { data: AuditScreenData }) {
  const { params, rows, periods } = data;
  const filters = filtersOf(data);
  return (
    <>
      <div className="audit-tools">
        <ListTools
          params={params.list}
          search="Sale number, product, person, description"
          filters={filters}
          datePresets={periods}
          formatDay={formatDay}
          csv={csvUrl(params.list)}
          sorts={[]}
        />
      </div>
      <FilterChips
        params={params.list}
        filters={[...filters, ...objectFilter(params.list, rows[0])]}
        formatDay={formatDay}
        hasClear
      />
      <section className="panel data-table" aria-label="Changes">
        {rows.length === 0 ? (
          <EmptyList params={params.list} icon="scroll-text">
            <p>Nothing has been changed yet.</p>
          </EmptyList>
        ) : (
          <AuditRows data={data} />
        )}
        <AuditPager data={data} />
      </section>
    </>
  );
}

function filtersOf({ params, rows, staff }: AuditScreenData): SelectFilter[] {
  const people = staff.map(({ id, name }) => ({ value: `user-${id}`, label: name }));
  const { person = "" } = params.list.filters;
  // Customers and former staff are reached by their name in a row.
  if (person.startsWith("user-") && !people.some(({ value }) => value === person))
    people.unshift({ value: person, label: rows[0]?.authorName ?? "Deleted account" });
  return [
    { name: "person", label: "Who", allLabel: "Everyone", options: [...people, ...AUTHOR_OPTIONS] },
    { name: "kind", label: "What", allLabel: "Everything", options: [...OBJECT_KINDS] },
  ];
}

/** Makes a filter chip of the object whose history is listed. */
function objectFilter({ filters }: ListParams, row?: AuditScreenData["rows"][number]): SelectFilter[] {
  const { id } = filters;
  if (!id) return [];
  const label = row?.label ?? "one object";
  return [{ name: "id", label: "History of", allLabel: "", options: [{ value: id, label }] }];
}

/** Pager with the state of the hash chain. */
function AuditPager({ data: { params, rows, newer, older, chain } }: { data: AuditScreenData }) {
  const waiting = chain.rows - (chain.sealed?.seq ?? 0);
  return (
    <nav className="pager" aria-label="Pages">
      <span className="audit-chain">
        <Icon name="link-2" className="i s" />
        <span>
          {waiting > 0
            ? `Sealed. The newest ${waiting.toLocaleString("en")} follow within 15 minutes.`
            : "Sealed"}
        </span>
      </span>
      {rows.length > 0 && (
        <span className="button-row mid">
          <Step to={newer && auditUrl(params.list, { newer })} rel="prev">
            <Icon name="chevron-left" className="i s" />
            Newer
          </Step>
          <Step to={older && auditUrl(params.list, { older })} rel="next">
            Older
            <Icon name="chevron-right" className="i s" />
          </Step>
        </span>
      )}
    </nav>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: string; children: ReactNode }) {
  if (!to)
    return (
      <button type="button" className="btn" disabled>
        {children}
      </button>
    );
  return (
    <Link className="btn" to={to} rel={rel}>
      {children}
    </Link>
  );
}
