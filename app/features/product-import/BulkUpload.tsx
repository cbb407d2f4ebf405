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
import { RunHistory, RunResult } from "./Runs";
import { IDLE, useImport } from "./useImport";

interface BulkUploadProps {
  /** State of the product list that the breadcrumb leads back to. */
  params: ListParams;
  /** The latest runs, newest first. */
  runs: RunView[];
  /** The run that the URL names. */
  run: RunView | null;
  timezone: string;
  refused: FormFailure | undefined;
}

const STEPS = ["File", "Columns", "Dry run", "Upload"];

/** Screen of the product import: file → dry run → upload → result. Without JavaScript the file is stored at once. */
export function BulkUpload({ params, runs, run, timezone, refused }: BulkUploadProps) {
  useFailureToast(refused);
  const url = listUrl(params, {}, { kind: "dialog", id: BULK_UPLOAD });
  const upload = useImport(url);
  const isDone = upload.done !== null && upload.done === run?.id;
  const isIdle = upload.phase === "idle" || isDone;
  const visibleRun = isIdle ? run : null;
  const { finish } = upload;
  useEffect(() => {
    if (!isIdle) return;
    // The focused button disappeared with the plan.
    if (isDone) document.getElementById("run-t")?.focus();
    finish();
  }, [isIdle, isDone, finish]);
  return (
    <>
      <nav className="crumb" aria-label="Where you are">
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
        failure={refused}
        isNext={visibleRun !== null}
        timezone={timezone}
      />
      {!isIdle && upload.plan && !upload.plan.problem && (
        <PlanPanel key={upload.checkedAt} plan={upload.plan} onDownload={upload.downloadRejected} />
      )}
      {isIdle && runs.length > 0 && <RunHistory runs={runs} timezone={timezone} url={url} />}
    </>
  );
}

/** @param at index of the current step; past the last when all are done */
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
