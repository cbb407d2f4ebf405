import { localTo } from "~/domain/local-to";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { ChangesPanel } from "./ChangesPanel";
import type { RunPage } from "./page.server";

const STATES: Partial<Record<RunPage["run"]["state"], string>> = {
  running: "It has not ended.",
  failed: "It broke off; what it had stored until then is listed.",
};

/** Page of a run: its result, what it changed, and the way back. */
export function RunScreen({ page }: { page: RunPage }) {
  const { run, undo, undone } = page;
  return (
    <>
      <RunPanel page={page} />
      <ChangesPanel
        label="What it did"
        list={page}
        kind={undone ? "undo" : "run"}
        nothing={undone ? "nothing" : undo ? "taken back" : "as stored"}
      />
      <Runs runs={page.runs} current={run.id} />
    </>
  );
}

function RunPanel({ page }: { page: RunPage }) {
  const { heading, run, summary, refusal, until } = page;
  return (
    <section className="panel run-panel" aria-labelledby="run-title">
      <div className="file">
        <span className="file-icon">
          <Icon name={run.kind === "undo" ? "undo-2" : "file-spreadsheet"} />
        </span>
        <div className="grow">
          <b id="run-title">{heading.title}</b>
          <div className="soft">{[summary, STATES[run.state]].filter(Boolean).join(". ")}</div>
        </div>
        <RunActs page={page} />
      </div>
      <RunFacts page={page} />
      <p className="run-note">
        <Icon name="clock" className="i s" />
        {refusal ??
          `It can be taken back until ${until}. You see first what would happen; nothing sold, on hold or asked about is lost.`}
      </p>
    </section>
  );
}

function RunActs({ page: { run, undo, refusal } }: { page: RunPage }) {
  return (
    <>
      {run.rejected > 0 && (
        <a className="btn" href={localTo(`/admin/products-management/rejected/${run.id}`)} download>
          <Icon name="download" className="i s" />
          Rejected rows
        </a>
      )}
      {undo && (
        <Link className="btn" to={undo}>
          See what was taken back
        </Link>
      )}
      {!refusal && (
        <Link className="btn" to={run.undoPath}>
          <Icon name="undo-2" className="i s" />
          {run.kind === "import" ? "Take this upload back" : "Undo this"}
        </Link>
      )}
    </>
  );
}

function RunFacts({ page: { run, undone } }: { page: RunPage }) {
  return (
    <dl className="run-facts">
      <div>
        <dt>Stored</dt>
        <dd>
          {run.at}, by {run.userName}
        </dd>
      </div>
      {undone ? (
        <div>
          <dt>Takes back</dt>
          <dd>
            <Link className="link" to={undone.to}>
              {undone.title}
            </Link>
          </dd>
        </div>
      ) : (
        <div>
          <dt>{run.kind === "act" ? "Act" : "File"}</dt>
          <dd>{run.fileName}</dd>
        </div>
      )}
    </dl>
  );
}

function Runs({ runs, current }: { runs: RunPage["runs"]; current: string }) {
  return (
    <section className="panel" aria-labelledby="runs-title">
      <header>
        <h2 id="runs-title">Uploads</h2>
      </header>
      <div className="runs-box">
        <table className="small-table runs">
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
              <th scope="col">Can be taken back</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} isCurrent={run.id === current} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RunRow({ run, isCurrent }: { run: RunPage["runs"][number]; isCurrent: boolean }) {
  return (
    <tr>
      <th scope="row">
        <Link to={run.to} aria-current={isCurrent ? "page" : undefined}>
          {run.fileName}
        </Link>
      </th>
      <td>{run.userName}</td>
      <td className="nowrap">{run.at}</td>
      {run.result === null ? (
        <>
          <td className="num" data-title="created">
            {run.created}
          </td>
          <td className="num" data-title="updated">
            {run.updated}
          </td>
        </>
      ) : (
        <td className="result" colSpan={2}>
          {run.result}
        </td>
      )}
      <td>{run.undo}</td>
    </tr>
  );
}
