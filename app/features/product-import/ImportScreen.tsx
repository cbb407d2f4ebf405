import { type ReactNode, useEffect } from "react";
import { localTo } from "~/domain/local-to";
import { resultOf, runPath } from "~/features/product-runs/runs";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { formatDateTime } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import { type RefusedForm, useFailureToast } from "~/ui/useCheckedForm";
import { FilePanel } from "./FilePanel";
import { PlanPanel } from "./PlanPanel";
import { IMPORT_DIALOG, type PlanPage, PRODUCTS_PATH, type RunView, rejectedRowsPath } from "./plan";
import type { RunHistoryPage } from "./runs.server";
import { IDLE, useImport } from "./useImport";

interface ImportScreenProps {
  /** State of the product list that the breadcrumb leads back to. */
  params: ListParams;
  history: RunHistoryPage;
  run: RunView | null;
  timezone: string;
  /** Action data of the form without JavaScript. */
  refused: RefusedForm | undefined;
  /** Dry run of the form without JavaScript. */
  planned: PlanPage | null;
}

const STEPS = ["File", "Columns", "Dry run", "Upload"];

/**
 * Screen of the product import: file → dry run → upload → result. Without JavaScript the dry run comes where something
 * must be asked; other files are imported at once.
 */
export function ImportScreen(props: ImportScreenProps) {
  const { params, history, run, timezone, refused, planned } = props;
  useFailureToast(refused);
  const url = listUrl(params, {}, { kind: "dialog", id: IMPORT_DIALOG });
  const upload = useImport(url, planned);
  const isDone = upload.done !== null && upload.done === run?.id;
  const isIdle = upload.phase === "idle" || isDone;
  const visibleRun = isIdle ? run : null;
  const { finish } = upload;
  useEffect(() => {
    if (!isIdle) return;
    // The focused button disappeared with the plan.
    if (isDone) document.getElementById("run-title")?.focus();
    finish();
  }, [isIdle, isDone, finish]);
  return (
    <>
      <nav className="crumb" aria-label="Breadcrumb">
        <Link to={listUrl(params)}>Products</Link>
        <Icon name="chevron-right" className="i s" />
        <span aria-current="page">Bulk Upload</span>
        <Steps at={visibleRun ? STEPS.length : upload.step} />
      </nav>
      {visibleRun && <RunResult run={visibleRun} />}
      {/* A new panel below the result, so that nothing shifts. */}
      <FilePanel
        key={visibleRun?.id ?? "file"}
        url={url}
        upload={isDone ? { ...upload, ...IDLE } : upload}
        refused={refused}
        hasEarlierResult={visibleRun !== null}
        timezone={timezone}
      />
      {!isIdle && upload.plan && !upload.plan.problem && !upload.plan.prices && (
        <PlanPanel key={upload.checkedAt} plan={upload.plan} onDownload={upload.downloadRejected} />
      )}
      {isIdle && <RunHistory {...{ ...history, timezone, url }} />}
    </>
  );
}

/** Steps of an import. @param at index of the current step; past the last when all are done */
function Steps({ at }: { at: number }) {
  return (
    <ol className="steps needs-script">
      {STEPS.map((name, step) => (
        <li key={name} aria-current={step === at ? "step" : undefined}>
          {step < at ? <Icon name="check" className="i s" /> : <span className="n">{step + 1}</span>}
          {name}
        </li>
      ))}
    </ol>
  );
}

const STATE_TEXT: Partial<Record<RunView["state"], string>> = {
  running: "The file is still being stored.",
  failed: "The upload failed. Send the same file again: no row is stored twice.",
  interrupted: "The upload was interrupted. Send the same file again: no row is stored twice.",
};

/** Result of a run, which has its own URL. */
function RunResult({ run }: { run: RunView }) {
  const { id, fileName, created, updated, unchanged, rejected, state, errorDetails, notes } = run;
  return (
    <section className="panel run-result" aria-labelledby="run-title">
      <header>
        <h2 id="run-title" tabIndex={-1}>
          {fileName}
        </h2>
        <p>{STATE_TEXT[state] ?? "Done."}</p>
      </header>
      <ul className="plan-counts">
        {Object.entries({ created, updated, skipped: unchanged, rejected }).map(([label, count]) => (
          <li key={label} className={label === "rejected" && count > 0 ? "danger" : undefined}>
            <b>
              {count.toLocaleString("en")} {label}
            </b>
          </li>
        ))}
        <li className="row-actions">
          {rejected > 0 && (
            <a className="btn" href={localTo(rejectedRowsPath(id))} download>
              <Icon name="download" className="i s" />
              Download rejected rows
            </a>
          )}
          <Link className="btn" to={runPath(id)}>
            See what it changed, or take it back
          </Link>
          <Link className="btn primary" to={PRODUCTS_PATH}>
            See the products
          </Link>
        </li>
      </ul>
      {errorDetails.length > 0 && <RejectedRows run={run} />}
      {notes.length > 0 && <Notes notes={notes} />}
    </section>
  );
}

function RejectedRows({ run: { errorDetails, rejected } }: { run: RunView }) {
  const more = rejected - errorDetails.length;
  return (
    <Rows label="Rejected rows">
      {errorDetails.map(({ row, product, error }) => (
        <li key={row}>
          <span className="plan-reason">{`Row ${row}: ${error}`}</span>{" "}
          {product && <span className="soft">({product})</span>}
        </li>
      ))}
      {more > 0 && <li className="soft">The file of rejected rows has {more.toLocaleString("en")} more.</li>}
    </Rows>
  );
}

function Notes({ notes }: { notes: RunView["notes"] }) {
  return (
    <details className="fold">
      <summary>
        <Icon name="chevron-right" className="i s chev" />
        Notes <span className="soft">{notes.length.toLocaleString("en")} skipped or guessed</span>
      </summary>
      <Rows label="Rows that were skipped or guessed">
        {notes.map(({ row, product, note }) => (
          <li key={`${row} ${note}`}>
            {`Row ${row}: ${note}`} {product && <span className="soft">({product})</span>}
          </li>
        ))}
      </Rows>
    </details>
  );
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollBox className="run-lines" label={label}>
      <ol>{children}</ol>
    </ScrollBox>
  );
}

const COUNTS: { title: string; count: (run: RunView) => number }[] = [
  { title: "Created", count: ({ created }) => created },
  { title: "Updated", count: ({ updated }) => updated },
  { title: "Rejected", count: ({ rejected }) => rejected },
];

interface RunHistoryProps extends RunHistoryPage {
  timezone: string;
  /** Address of the screen. */
  url: string;
}

function RunHistory({ runs, timezone, earlier, isLatest, url }: RunHistoryProps) {
  if (runs.length === 0 && isLatest) return null;
  return (
    <section className="panel" aria-labelledby="runs-title">
      <header>
        <h2 id="runs-title">Earlier uploads</h2>
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
              <Run key={run.id} run={run} when={formatDateTime(run.startedAt, timezone)} />
            ))}
          </tbody>
        </table>
      </div>
      <RunPages {...{ earlier, isLatest, url }} />
    </section>
  );
}

/** Links to the other pages of the history. */
function RunPages({ earlier, isLatest, url }: Pick<RunHistoryProps, "earlier" | "isLatest" | "url">) {
  if (earlier === null && isLatest) return null;
  return (
    <footer className="button-row">
      {!isLatest && (
        <Link to={url} preventScrollReset className="btn">
          Show the latest
        </Link>
      )}
      {earlier !== null && (
        <Link to={`${url}&before=${earlier}`} preventScrollReset className="btn">
          Show earlier ones
        </Link>
      )}
    </footer>
  );
}

function Run({ run, when }: { run: RunView; when: string }) {
  const result = resultOf(run);
  return (
    <tr>
      <th scope="row">
        <Link to={runPath(run.id)}>{run.fileName}</Link>
        {run.state !== "done" && <span className="soft"> · {run.state}</span>}
      </th>
      <td>{run.userName}</td>
      <td className="nowrap">{when}</td>
      {result === null ? (
        COUNTS.map(({ title, count }) => (
          <td key={title} className="num" data-title={title.toLowerCase()}>
            {count(run).toLocaleString("en")}
          </td>
        ))
      ) : (
        <td className="result" colSpan={COUNTS.length}>
          {result}
        </td>
      )}
    </tr>
  );
}
