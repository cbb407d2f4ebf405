import type { SubmissionResult } from "@conform-to/react";

/** What a page's action answers when it refused: for the form's fields, and for the box above them. */
export interface FormFailure {
  lastResult: SubmissionResult<string[]>;
  failure: string | null;
}
