import { Link } from "@remix-run/react";
import { BULK_UPLOAD, SHELF_PATH } from "../shelves/lists";
import type { RunView } from "./plan";

/** The latest bulk uploads: who, which file, when, and what came of it. */
export function RunHistory({ runs, timezone }: { runs: RunView[]; timezone: string }) {
  const time = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: timezone,
  });
  const address = (run: string) => `${SHELF_PATH}?${new URLSearchParams({ dialog: BULK_UPLOAD, run })}`;
  return (
    <section className="panel" aria-labelledby="runs-t">
      <header>
        <h2 id="runs-t">Earlier uploads</h2>
      </header>
      <div className="runs-box">
        <table className="grid plain runs">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Who</th>
              <th scope="col">When</th>
              <th scope="col" className="num">
                Created
              </th>
              <th scope="col" className="num">
                Updated
              </th>
              <th scope="col" className="num">
                Refused
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <th scope="row">
                  <Link to={address(run.id)}>{run.fileName}</Link>
                  {run.state !== "done" && <span className="soft"> · {run.state}</span>}
                </th>
                <td>{run.userName}</td>
                <td className="nowrap">{time.format(run.startedAt * 1000)}</td>
                <td className="num">{run.created.toLocaleString("en")}</td>
                <td className="num">{run.updated.toLocaleString("en")}</td>
                <td className="num">{run.refused.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
