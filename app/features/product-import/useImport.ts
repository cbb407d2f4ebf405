import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from "react";
import { useNavigate } from "~/ui/navigation";
import { showToast } from "~/ui/Toasts";
import {
  type ImportChoices,
  type ImportProgress,
  type ImportResult,
  type Plan,
  type PlanPage,
  rejectedRowsPath,
  runUrl,
} from "./plan";
import { FILE_TOO_LARGE, MAX_FILE_BYTES, NO_READING } from "./sheet";

const PLAN_URL = "/admin/products-management/plan";
const COMMIT_URL = "/api/product/bulk-upload";
const NOT_RECEIVED = "Upload failed: the connection broke before the file was read. Choose it again.";
const CONNECTION_LOST = "The connection broke. Please try again: no row is stored twice.";

export type ImportState = ReturnType<typeof useImport>;

/** Failed request, with its message for the reader. */
export interface ImportFailure {
  message: string;
  /** The session has expired. */
  isSignedOut: boolean;
}

interface State {
  phase: "idle" | "reading" | "planned" | "storing";
  plan: Plan | null;
  failure: ImportFailure | null;
  /** Products stored so far; `startedAt` in epoch milliseconds. */
  progress: { stored: number; total: number; startedAt: number } | null;
  /** Epoch milliseconds of the last plan. */
  checkedAt: number;
  /** The run that was committed; the plan stays visible until its result is displayed. */
  done: string | null;
}

export const IDLE: State = {
  phase: "idle",
  plan: null,
  failure: null,
  progress: null,
  checkedAt: 0,
  done: null,
};

const NO_CHOICES: ImportChoices = {
  columns: null,
  categories: {},
  reading: NO_READING,
  variantPrice: null,
  untracked: null,
};

/** Answer of the server with an error status. */
class RejectedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function plannedState({ plan, failure }: PlanPage): State {
  return {
    ...IDLE,
    phase: "planned",
    plan,
    checkedAt: plan.checkedAt * 1000,
    failure: failure === undefined ? null : { message: failure, isSignedOut: false },
  };
}

const STEP = { idle: 0, reading: 1, planned: 2, storing: 3 };

/**
 * Uploads a spreadsheet once, plans it with the choices of staff, and commits the planned run.
 *
 * @param url URL of the page with its query
 * @param planned dry run of the form without JavaScript
 */
export function useImport(url: string, planned: PlanPage | null) {
  const [state, setState] = useState<State>(planned ? plannedState(planned) : IDLE);
  const latestRequest = useRef(0);
  const { plan } = state;
  const commit = useCommit(plan, setState, url);

  function begin(file: File | null): void {
    latestRequest.current++;
    // The server resets the connection of some oversized uploads before its answer can be read.
    const isTooLarge = file !== null && file.size > MAX_FILE_BYTES;
    setState(isTooLarge ? { ...IDLE, failure: { message: FILE_TOO_LARGE, isSignedOut: false } } : IDLE);
    if (file && !isTooLarge) void updatePlan({ file }, null, latestRequest, setState);
  }

  function choose(changes: Partial<ImportChoices>): void {
    if (!plan) return;
    const choices = { ...NO_CHOICES, ...plan.choices, ...changes };
    void updatePlan({ run: plan.run }, choices, latestRequest, setState);
  }

  async function downloadRejected(): Promise<void> {
    if (!plan) return;
    try {
      await saveRejectedRows(plan);
    } catch (error) {
      setState((before) => ({ ...before, failure: failureOf(error) }));
    }
  }

  const finish = useCallback(() => setState((before) => (before.done === null ? before : IDLE)), []);
  const needsMapping = plan?.problem ?? plan?.missing ?? plan?.prices;
  const step = needsMapping && state.phase === "planned" ? STEP.reading : STEP[state.phase];
  return { ...state, step, begin, choose, commit, downloadRejected, finish };
}

type SetImportState = Dispatch<SetStateAction<State>>;
/** A file to upload, or the run that it was uploaded for. */
type UploadSource = { file: File } | { run: string };

/** Requests a plan; the answer to an outdated request is ignored. */
async function updatePlan(
  source: UploadSource,
  choices: ImportChoices | null,
  latestRequest: { current: number },
  setState: SetImportState,
): Promise<void> {
  const request = ++latestRequest.current;
  setState((before) => ({ ...before, phase: "reading", failure: null }));
  try {
    const lost = "file" in source ? NOT_RECEIVED : CONNECTION_LOST;
    const plan = (await (await post(PLAN_URL, source, choices, lost)).json()) as Plan;
    if (request === latestRequest.current) setState(plannedState({ plan }));
  } catch (error) {
    if (request !== latestRequest.current) return;
    const failure = failureOf(error);
    setState(({ plan, checkedAt }) => ({
      ...IDLE,
      ...(plan && { phase: "planned", plan, checkedAt }),
      failure,
    }));
  }
}

/** Returns a function that commits the planned run and navigates to its result. */
function useCommit(plan: Plan | null, setState: SetImportState, url: string) {
  const navigate = useNavigate();
  return async function commit(): Promise<void> {
    if (!plan) return;
    const startedAt = Date.now();
    const onProgress = (stored: number, total: number) =>
      setState((before) => ({ ...before, progress: { stored, total, startedAt } }));
    setState((before) => ({ ...before, phase: "storing", failure: null, progress: null }));
    try {
      const { result, run } = await commitPlan(plan, onProgress);
      void showToast("success", result.message || "Upload successful!");
      setState((before) => ({ ...before, done: run }));
      navigate(runUrl(url, run), { replace: true });
    } catch (error) {
      setState((before) => ({ ...before, phase: "planned", failure: failureOf(error), progress: null }));
    }
  };
}

/** Sends a file or a run. @throws RejectedRequest; Error with the message `lost` on network failure */
async function post(
  url: string,
  source: UploadSource,
  choices: ImportChoices | null,
  lost: string,
  headers: HeadersInit = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(source)) form.append(name, value);
  if (choices) form.append("choices", JSON.stringify(choices));
  const answer = await fetch(url, { method: "POST", body: form, headers }).catch(() => null);
  if (!answer) throw new Error(lost);
  if (!answer.ok) throw new RejectedRequest(answer.status, await serverMessage(answer));
  return answer;
}

async function saveRejectedRows({ run, choices }: Plan): Promise<void> {
  const answer = await post(rejectedRowsPath(), { run }, choices, CONNECTION_LOST);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Commits a planned run. @throws RejectedRequest; Error with the message of the failure */
async function commitPlan(
  { run, choices }: Plan,
  onProgress: (stored: number, total: number) => void,
): Promise<{ result: ImportResult; run: string }> {
  const answer = await post(COMMIT_URL, { run }, choices, CONNECTION_LOST, {
    Accept: "application/x-ndjson",
  });
  if (answer.body)
    for await (const line of progressLines(answer.body)) {
      if ("stored" in line) onProgress(line.stored, line.total);
      else if ("failure" in line) throw new Error(line.failure);
      else return line;
    }
  throw new Error(CONNECTION_LOST);
}

async function* progressLines(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportProgress> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ImportProgress;
  }
}

async function serverMessage(answer: Response): Promise<string> {
  try {
    const body = (await answer.json()) as { message?: unknown; details?: { message?: unknown }[] };
    const message = body.details?.[0]?.message ?? body.message;
    return typeof message === "string" && message ? message : "Upload failed";
  } catch {
    return "Upload failed";
  }
}

function failureOf(error: unknown): ImportFailure {
  return {
    message: error instanceof Error && error.message ? error.message : "Upload failed",
    isSignedOut: error instanceof RejectedRequest && error.status === 401,
  };
}
