import { Link } from "@remix-run/react";
import { useEffect } from "react";
import { BULK_UPLOAD } from "~/features/product-admin/list-params";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { Icon } from "~/ui/Icon";
import { useFailureToast } from "~/ui/Toasts";
import type { FormFailure } from "~/ui/useCheckedForm";
import { FilePanel } from "./FilePanel";
import { PlanPanel } from "./PlanPanel";
import type { RunView } from "./plan";
import { RunHistory } from "./RunHistory";
import { RunResult } from "./RunResult";
import { IDLE, useImport } from "./useImport";

interface BulkUploadProps {
  /** The list that it was opened over: where leaving it leads. */
  params: ListParams;
  /** The latest runs, newest first. */
  runs: RunView[];
  /** The run that the address names: its result is shown. */
  run: RunView | null;
  timezone: string;
  refused: FormFailure | undefined;
}

const STEPS = ["File", "Columns", "Dry run", "Upload"];

/**
 * Bringing products in from a spreadsheet (back office 2, Bulk Upload): choose → dry run → upload → result. Without a
 * script the file is sent at once and its result shown.
 */
export function BulkUpload({ params, runs, run, timezone, refused }: BulkUploadProps) {
  useFailureToast(refused);
  const address = listUrl(params, {}, { kind: "dialog", id: BULK_UPLOAD });
  const bulk = useImport(address);
  const isDone = bulk.done !== null && bulk.done === run?.id;
  const isIdle = bulk.phase === "idle" || isDone;
  const shownRun = isIdle ? run : null;
  const { finish } = bulk;
  useEffect(() => {
    if (!isIdle) return;
    // What had the focus is gone with what was stored.
    if (isDone) document.getElementById("run-t")?.focus();
    finish();
  }, [isIdle, isDone, finish]);
  return (
    <>
      <nav className="crumb" aria-label="Where you are">
        <Link to={listUrl(params)}>Products</Link>
        <Icon name="chevron-right" className="i s" />
        <span aria-current="page">Bulk Upload</span>
        <Steps at={shownRun ? STEPS.length : bulk.step} />
      </nav>
      {shownRun && <RunResult run={shownRun} />}
      {/* A panel of its own below a result, so that nothing that was there moves. */}
      <FilePanel
        key={shownRun?.id ?? "file"}
        address={address}
        bulk={isDone ? { ...bulk, ...IDLE } : bulk}
        refused={refused}
        again={shownRun !== null}
        timezone={timezone}
      />
      {!isIdle && bulk.plan && !bulk.plan.problem && (
        <PlanPanel key={bulk.checkedAt} plan={bulk.plan} onRefused={bulk.keepRefused} />
      )}
      {isIdle && runs.length > 0 && <RunHistory runs={runs} timezone={timezone} address={address} />}
    </>
  );
}

/** @param at the step that is being done; past the last when all are */
function Steps({ at }: { at: number }) {
  return (
    <ol className="steps needs-script">
      {STEPS.map((name, params) => (
        <li key={name} aria-current={params === at ? "step" : undefined}>
          {params < at ? <Icon name="check" className="i s" /> : <span className="n">{params + 1}</span>}
          {name}
        </li>
      ))}
    </ol>
  );
}
