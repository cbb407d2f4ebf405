import { useNavigate } from "@remix-run/react";
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { downloadRejected, requestPlan, uploadFile } from "./api";
import type { BulkChoices, Plan } from "./plan";

export type ImportState = ReturnType<typeof useImport>;

interface State {
  phase: "idle" | "reading" | "planned" | "storing";
  plan: Plan | null;
  failure: string | null;
  /** Products stored so far, of all. */
  progress: { stored: number; total: number; startedAt: number } | null;
  /** Epoch milliseconds of the last dry run. */
  checkedAt: number;
  /** The run that all of it was stored in; it stays in sight until its result is there. */
  done: string | null;
}

/** Before a file is chosen. */
export const IDLE: State = {
  phase: "idle",
  plan: null,
  failure: null,
  progress: null,
  checkedAt: 0,
  done: null,
};

/**
 * A bulk upload in the browser: the file that was chosen, its dry run, and its storing.
 *
 * @param address of the page, with its query
 */
export function useImport(address: string) {
  const [state, setState] = useState<State>(IDLE);
  const file = useRef<File | null>(null);
  const choices = useRef<BulkChoices | null>(null);
  const asked = useRef(0);
  const store = useStoring(file, state.plan, setState, address);

  const read = () => planned(file.current, choices.current, asked, setState);

  /** A file is chosen, or none: another one is wanted. */
  function begin(chosen: File | null): void {
    file.current = chosen;
    choices.current = null;
    asked.current++;
    setState(IDLE);
    void read();
  }

  /** Staff say where a column goes, or what category a kind is: planned anew. */
  function say(changes: Partial<BulkChoices>): void {
    choices.current = { columns: null, categories: {}, ...state.plan?.choices, ...changes };
    void read();
  }

  const keepRefused = () => keptRefused(file.current, state.plan, setState);
  const finish = useCallback(() => setState((before) => (before.done === null ? before : IDLE)), []);
  const asks = state.plan?.problem ?? state.plan?.wanting;
  const step = asks && state.phase === "planned" ? STEP.reading : STEP[state.phase];
  return { ...state, step, choose: begin, reset: () => begin(null), say, store, keepRefused, finish };
}

const STEP = { idle: 0, reading: 1, planned: 2, storing: 3 };

type SetBulk = Dispatch<SetStateAction<State>>;

/** Plans a file anew; only the latest question's answer counts. */
async function planned(
  file: File | null,
  choices: BulkChoices | null,
  asked: { current: number },
  setState: SetBulk,
): Promise<void> {
  if (!file) return;
  const mine = ++asked.current;
  setState((before) => ({ ...before, phase: "reading", failure: null }));
  try {
    const plan = await requestPlan(file, choices);
    if (mine === asked.current) setState({ ...IDLE, phase: "planned", plan, checkedAt: Date.now() });
  } catch (error) {
    if (mine !== asked.current) return;
    const failure = wordsOf(error);
    setState(({ plan, checkedAt }) => ({
      ...IDLE,
      ...(plan && { phase: "planned", plan, checkedAt }),
      failure,
    }));
  }
}

/** Gives staff the refused rows as a file, before anything is stored. */
async function keptRefused(file: File | null, plan: Plan | null, setState: SetBulk): Promise<void> {
  if (!file) return;
  try {
    await downloadRejected(file, plan?.choices ?? null);
  } catch (error) {
    setState((before) => ({ ...before, failure: wordsOf(error) }));
  }
}

/** @returns stores the file as it was planned, and leads to the result */
function useStoring(file: RefObject<File | null>, plan: Plan | null, setState: SetBulk, address: string) {
  const navigate = useNavigate();
  return async function store(): Promise<void> {
    if (!file.current || !plan) return;
    const startedAt = Date.now();
    const told = (stored: number, total: number) =>
      setState((before) => ({ ...before, progress: { stored, total, startedAt } }));
    setState((before) => ({ ...before, phase: "storing", failure: null, progress: null }));
    try {
      const { result, run } = await uploadFile(file.current, plan.choices, told);
      void showToast("success", result.message || "Upload successful!");
      setState((before) => ({ ...before, done: run }));
      navigate(`${address}&${new URLSearchParams({ run })}`, { replace: true });
    } catch (error) {
      setState((before) => ({ ...before, phase: "planned", failure: wordsOf(error), progress: null }));
    }
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "Upload failed";
}
