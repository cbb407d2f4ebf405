import { Fragment, type ReactNode } from "react";
import { localDay } from "~/domain/days";
import {
  actionLabel,
  authorLabel,
  type FieldChange,
  isNameless,
  objectNoun,
  objectPath,
} from "~/features/audit/labels";
import { auditUrl, historyUrl } from "~/features/audit/params";
import { formatExactTime, formatRecentDate, formatTime } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Link } from "~/ui/navigation";
import type { AuditScreenData } from "./operations.server";

type Row = AuditScreenData["rows"][number];

/** Fields of a row that is not open. */
const MAX_VISIBLE_FIELDS = 3;

/** Table of changes; the one in the URL shows all its fields. */
export function AuditRows({ data }: { data: AuditScreenData }) {
  const { rows, params, timezone } = data;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the surrounding section is the landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="table-scroll" role="region" tabIndex={0} aria-label="Changes, scrolls">
      <table className="data-grid audit-table">
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              When
            </th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Before → after</th>
            <th scope="col">
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.seq}>
              <Change row={row} data={data} isOpen={row.seq === params.open} />
              {row.seq === params.open && <Details row={row} data={data} timezone={timezone} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Change({ row, data, isOpen }: { row: Row; data: AuditScreenData; isOpen: boolean }) {
  const { params, timezone, today } = data;
  const { list, cursor, dir } = params;
  const to = auditUrl(list, { [dir]: cursor, row: isOpen ? null : row.seq });
  return (
    <tr id={`row-${row.seq}`} className={isOpen ? "is-open" : undefined}>
      <td className="cell-when nowrap card-side">
        <time dateTime={new Date(row.at * 1000).toISOString()}>{whenLabel(row.at, today, timezone)}</time>
      </td>
      <td className="cell-who card-title">
        <Author row={row} list={list} />
      </td>
      <td className="cell-what card-line">
        <What row={row} />
      </td>
      <td className="cell-diff card-line">
        <Diff fields={row.fields} />
      </td>
      <td className="cell-more card-side">
        <Link
          className="tool-button"
          to={to}
          aria-expanded={isOpen}
          aria-label={`All fields of row ${row.seq}`}
          preventScrollReset
        >
          <Icon name={isOpen ? "chevron-down" : "chevron-right"} className="i s" />
        </Link>
      </td>
    </tr>
  );
}

/** Returns the time of day, with the date unless it is today's, and the year unless it is this year's. */
function whenLabel(at: number, today: string, timezone: string): string {
  const time = formatTime(at, timezone);
  if (localDay(at, timezone) === today) return time;
  return `${formatRecentDate(at, timezone, today)}, ${time}`;
}

const AUTHOR_ICONS: Record<string, IconName> = { system: "settings", import: "upload", key: "link-2" };

/** Names the author; the name leads to all that they changed. */
function Author({ row, list }: { row: Row; list: AuditScreenData["params"]["list"] }) {
  const { authorKind, authorId, authorName } = row;
  const label = authorLabel(row);
  const icon = AUTHOR_ICONS[authorKind];
  const person = authorId && authorKind !== "import" ? `user-${authorId}` : authorKind;
  return (
    <span className="audit-author">
      <span className={icon ? "audit-avatar is-square" : "audit-avatar"} aria-hidden="true">
        {icon ? <Icon name={icon} className="i s" /> : label.charAt(0).toUpperCase()}
      </span>
      <Link
        className={authorKind === "key" ? undefined : "truncate"}
        to={auditUrl({ ...list, filters: { ...list.filters, person } })}
        title={`All changes: ${authorKind === "key" ? (authorName ?? "Deleted account") : label}`}
      >
        {label}
      </Link>
      {authorKind === "customer" && <span className="soft">owner</span>}
    </span>
  );
}

function What({ row }: { row: Row }) {
  const isOwn = row.object === "user" && row.objectId === row.authorId;
  return (
    <>
      <b>{actionLabel(row.action)}</b> {isOwn && row.action === "changed" ? "own account" : objectNoun(row)}{" "}
      <ObjectName row={row} />
      {row.authorKind === "import" && row.object === "product" && (
        <span className="soft">{`, ${row.sourceName ?? "a deleted import"}`}</span>
      )}
    </>
  );
}

/** Names the object and links to its page; one without a name is marked as deleted. */
function ObjectName({ row }: { row: Row }) {
  const path = objectPath(row);
  if (isNameless(row)) return row.action === "deleted" ? null : <span className="soft">(deleted)</span>;
  if (!path) return <>{row.label}</>;
  return (
    <Link className="quiet-link" to={path}>
      {row.label}
    </Link>
  );
}

function Diff({ fields }: { fields: FieldChange[] }) {
  const facts = fields.filter(({ isFact }) => isFact).map(({ label }) => label);
  const values = fields.filter(({ isFact }) => !isFact);
  const visible = values.slice(0, MAX_VISIBLE_FIELDS);
  const rest = values.length - visible.length;
  return (
    <span className="audit-diff">
      {visible.map((field) => (
        <Values key={field.name} {...field} />
      ))}
      {facts.length > 0 && (
        <span>
          {facts.join(", ")} <i>changed</i>
        </span>
      )}
      {rest > 0 && <span className="soft">{`and ${rest} more`}</span>}
    </span>
  );
}

function Values({ label, before, after }: FieldChange) {
  return (
    <span>
      <dfn>{label}</dfn>
      {before !== null && (
        <>
          <del>{before}</del>
          <Icon name="arrow-right" className="i s" label="to" />
        </>
      )}
      <ins>{after ?? "none"}</ins>
    </span>
  );
}

/** Shows all fields of the open row, where it came from and its place in the chain. */
function Details({ row, data, timezone }: { row: Row; data: AuditScreenData; timezone: string }) {
  const { opened } = data;
  const source = `${row.sourceName ?? "Import"}, by ${row.authorName ?? "a deleted account"}`;
  return (
    <tr className="audit-more">
      <td />
      <td colSpan={4}>
        <dl className="audit-fields">
          {opened?.fields.map(({ name, label, before, after, isFact }) => (
            <Detail key={name} label={label}>
              {isFact ? "changed" : `${before === null ? "" : `${before} → `}${after ?? "none"}`}
            </Detail>
          ))}
          <Detail label="Time">{formatExactTime(row.at, timezone)}</Detail>
          {row.authorKind === "import" && <Detail label="Source">{source}</Detail>}
          {row.authorKind === "key" && <Detail label="By">{authorLabel(row)}</Detail>}
          <Detail label="Object">
            <Link className="quiet-link" to={historyUrl(row.objectId)}>
              All changes of {row.label}
            </Link>
          </Detail>
          <Detail label="Row">
            <code>{sealLabel(row.seq, opened)}</code>
          </Detail>
        </dl>
      </td>
    </tr>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const short = (hash: string) => `${hash.slice(0, 4)}…${hash.slice(-4)}`;

function sealLabel(seq: number, opened: AuditScreenData["opened"]): string {
  const number = seq.toLocaleString("en");
  if (!opened?.hash) return `${number}, not sealed yet`;
  const before = opened.before ? `, after ${(seq - 1).toLocaleString("en")} ${short(opened.before)}` : "";
  return `${number}, sha-256 ${short(opened.hash)}${before}`;
}
