import type { ReactNode } from "react";
import { formatDay } from "~/domain/day-text";
import { Link } from "~/ui/navigation";
import type { healthPage } from "./operations.server";

export type Page = Awaited<ReturnType<(typeof healthPage)["execute"]>>;

const CHECK_NAMES = {
  database: "Database",
  migrations: "Migrations",
  files: "Files",
  room: "Chat room",
  settings: "Settings",
};

export function Checks({ checks }: Pick<Page, "checks">) {
  const rows = checks.map(({ name, ok, ms, detail }) => ({
    key: name,
    cells: [CHECK_NAMES[name], detail, `${ms} ms`, <State key="state" ok={ok} />],
  }));
  return (
    <Panel
      title="Checks"
      note="/readyz"
      heads={["Part", "Result", "Time", "State"]}
      figures={[2]}
      text={1}
      rows={rows}
    />
  );
}

const State = ({ ok }: { ok: boolean }) =>
  ok ? <span className="state-label ok">Ready</span> : <span className="failed">Not ready</span>;

export function Errors({ errors }: Pick<Page, "errors">) {
  const rows = errors.map(({ time, message, place, reference }) => ({
    key: reference,
    cells: [time, message, <code key="place">{place}</code>, <code key="reference">{reference}</code>],
  }));
  return (
    <Panel
      title="Errors"
      note="newest first"
      heads={["Time", "Error", "Request", "Reference"]}
      text={1}
      rows={rows}
      empty="No request has failed in the last 30 days."
    />
  );
}

export function SlowRoutes({ slow }: Pick<Page, "slow">) {
  const rows = slow.map(({ day, route, requests, averageMs, longestMs, rowsRead, rowsWritten }) => ({
    key: `${day} ${route}`,
    cells: [
      formatDay(day),
      <code key="route">{route}</code>,
      requests,
      inSeconds(averageMs),
      inSeconds(longestMs),
      Math.round(rowsRead / requests),
      Math.round(rowsWritten / requests),
    ],
  }));
  return (
    <Panel
      title="Slowest routes"
      note="requests over 1 s, today and yesterday (UTC)"
      heads={["Day", "Route", "Requests", "Mean", "Longest", "Rows read", "Written"]}
      figures={[2, 3, 4, 5, 6]}
      rows={rows}
      empty="No request took longer than a second."
    />
  );
}

export function Failures({ failures }: Pick<Page, "failures">) {
  const rows = failures.map(({ time, kind, place, reference, message, times }) => ({
    key: `${kind} ${place} ${reference}`,
    cells: [time, reference ? <ChatLink key="chat" id={reference} label={place} /> : place, message, times],
  }));
  return (
    <Panel
      title="Not delivered"
      note="mail, push and processed pictures, 30 days"
      heads={["Time", "What", "Why", "Tries"]}
      figures={[3]}
      text={2}
      rows={rows}
      empty="All mails, notifications and pictures were delivered."
    />
  );
}

const ChatLink = ({ id, label }: { id: string; label: string }) => (
  <Link className="link" to={`/admin/chat?chat=${encodeURIComponent(id)}`}>
    {label}
  </Link>
);

export function Backups({ backups }: Pick<Page, "backups">) {
  const results = { running: "Under way", done: "", failed: "Failed: " };
  const rows = backups.map(({ id, time, kind, state, bytes, result }) => ({
    key: id,
    cells: [time, kind, megabytes(bytes), results[state] + result],
  }));
  return (
    <Panel
      title="Backups"
      note="the last seven"
      heads={["Begun", "Kind", "Size", "Result"]}
      figures={[2]}
      text={3}
      rows={rows}
      empty="No backup has been made yet."
    />
  );
}

export function NightlyRuns({ runs }: Pick<Page, "runs">) {
  const rows = runs.map(({ startedAt, time, jobs, durationMs }) => ({
    key: String(startedAt),
    cells: [time, <Jobs key="jobs" jobs={jobs} />, inSeconds(durationMs)],
  }));
  return (
    <Panel
      title="Nightly"
      note="the last seven runs"
      heads={["Run", "Jobs", "Took"]}
      figures={[2]}
      text={1}
      rows={rows}
      empty="The nightly jobs have not run yet."
    />
  );
}

type Run = Page["runs"][number];

/** Jobs of a run: those that failed, and all on demand. */
function Jobs({ jobs }: Pick<Run, "jobs">) {
  const failed = jobs.filter((job) => job.failed);
  const pending = jobs.filter((job) => job.pending).length;
  return (
    <>
      {failed.map((job) => (
        <Job key={job.job} {...job} />
      ))}
      <details>
        <summary>
          {failed.length > 0 && `${failed.length} of ${jobs.length} failed. `}
          {pending > 0 && `${pending} of ${jobs.length} not ended`}
          {failed.length + pending === 0 && `All ${jobs.length} jobs done`}
        </summary>
        {jobs.map((job) => (
          <Job key={job.job} {...job} />
        ))}
      </details>
    </>
  );
}

/** Characters of a hash that identify it, as `npm run check:audit -- --seal` accepts them. */
const HASH_LENGTH = 16;

const Job = ({ job, result, failed, pending }: Run["jobs"][number]) => (
  <span className={failed ? "failed" : undefined}>
    {job}: {pending ? "not ended" : result.replace(/\b[0-9a-f]{64}\b/g, (hash) => hash.slice(0, HASH_LENGTH))}
    .{" "}
  </span>
);

interface PanelProps {
  title: string;
  note: string;
  heads: string[];
  rows: { key: string; cells: ReactNode[] }[];
  /** Positions of the columns with figures, and of the one with text. */
  figures?: number[];
  text?: number;
  /** Hides the text of the last head, above the buttons of the rows. */
  hasActions?: boolean;
  /** Text without rows. */
  empty?: string;
}

/** Panel with a table that scrolls sideways. */
export function Panel({ title, note, heads, rows, figures = [], text, hasActions, empty }: PanelProps) {
  const columns = heads.map((head, i) => ({
    head,
    className: figures.includes(i) ? "num" : i === text ? "health-text" : undefined,
  }));
  return (
    <section className="panel health-panel">
      <header>
        <h2>{title}</h2>
        <p>{note}</p>
      </header>
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section className="health-scroll" tabIndex={0} aria-label={`${title}, scrolls`}>
          <table className={hasActions ? "figures has-actions" : "figures"}>
            <thead>
              <tr>
                {columns.map(({ head, className }, i) => (
                  <th key={head} scope="col" className={className}>
                    <span className={hasActions && i === heads.length - 1 ? "visually-hidden" : undefined}>
                      {head}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells }) => (
                <Row key={key} cells={cells} columns={columns} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

interface RowProps {
  cells: ReactNode[];
  columns: { head: string; className: string | undefined }[];
}

const Row = ({ cells, columns }: RowProps) => (
  <tr>
    {columns.map(({ head, className }, i) => (
      <td key={head} className={className}>
        {cells[i]}
      </td>
    ))}
  </tr>
);

export const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
