import { Link } from "@remix-run/react";
import { formatDateTime } from "~/ui/dates";
import type { RunView } from "./plan";

const COUNTS: { title: string; of: (run: RunView) => number }[] = [
  { title: "Created", of: ({ created }) => created },
  { title: "Updated", of: ({ updated }) => updated },
  { title: "Refused", of: ({ refused }) => refused },
];

interface RunHistoryProps {
  runs: RunView[];
  timezone: string;
  /** Of the bulk upload, with its query. */
  address: string;
}

/** The latest bulk uploads: who, which file, when, and what came of it. */
export function RunHistory({ runs, timezone, address }: RunHistoryProps) {
  return (
    <section className="panel" aria-labelledby="runs-t">
      <header>
        <h2 id="runs-t">Earlier uploads</h2>
      </header>
      <div className="runs-box">
        <table className="small-table runs">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Who</th>
              <th scope="col">When</th>
              {COUNTS.map(({ title }) => (
                <th key={title} scope="col" className="num">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Run key={run.id} run={run} address={address} when={formatDateTime(run.startedAt, timezone)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Run({ run, when, address }: { run: RunView; when: string; address: string }) {
  return (
    <tr>
      <th scope="row">
        <Link to={`${address}&${new URLSearchParams({ run: run.id })}`}>{run.fileName}</Link>
        {run.state !== "done" && <span className="soft"> · {run.state}</span>}
      </th>
      <td>{run.userName}</td>
      <td className="nowrap">{when}</td>
      {COUNTS.map(({ title, of }) => (
        <td key={title} className="num" data-title={title.toLowerCase()}>
          {of(run).toLocaleString("en")}
        </td>
      ))}
    </tr>
  );
}
