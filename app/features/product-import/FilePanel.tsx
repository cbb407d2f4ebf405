import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import { FIELDS } from "~/features/catalogue/product";
import { FormError } from "~/ui/Field";
import { useFileDrop, usePreselectedFiles } from "~/ui/file-input";
import { counted, formatTime } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { PriceQuestion, ReadingFields, readingOf, VariantQuestions } from "./FileQuestions";
import { ColumnNames, MappingPanel } from "./MappingPanel";
import { type Plan, rowLabel } from "./plan";
import { MAX_FILE_BYTES, MAX_ROWS, MAX_VARIANT_ROWS } from "./sheet";
import type { ImportFailure, ImportState } from "./useImport";

interface FilePanelProps {
  /** URL of the page with its query: action of the form without JavaScript. */
  url: string;
  upload: ImportState;
  refused: RefusedForm | undefined;
  /** Displays the result of another file above. */
  hasEarlierResult: boolean;
  timezone: string;
}

const NO_FILE = "Please select a file to upload";
const SOURCES = {
  template: "the shop's own columns",
  shopify: "a Shopify export",
  woocommerce: "a WooCommerce export",
  other: "an unknown layout",
};

/** Panel of the file: its choice, its mapping, and the progress of its storing. */
export function FilePanel({ url, upload, refused, hasEarlierResult, timezone }: FilePanelProps) {
  return (
    <section className="panel import-file" aria-label="The file">
      {upload.plan ? (
        <PlannedFile url={url} upload={upload} plan={upload.plan} timezone={timezone} />
      ) : (
        <ChooseFile url={url} upload={upload} refused={refused} hasEarlierResult={hasEarlierResult} />
      )}
      {upload.plan && <Failure failure={upload.failure} />}
      {upload.phase === "storing" && <Progress progress={upload.progress} />}
      {upload.plan && <MappingPanel upload={upload} plan={upload.plan} />}
    </section>
  );
}

function ChooseFile({ url, upload, refused, hasEarlierResult }: Omit<FilePanelProps, "timezone">) {
  const { missing, choose, dropHandlers, onSubmit } = useFileInput(upload);
  return (
    <Form
      method="post"
      action={url}
      encType="multipart/form-data"
      className="file"
      onSubmit={onSubmit}
      {...dropHandlers}
    >
      <span className="file-icon">
        <Icon name="file-spreadsheet" />
      </span>
      <Picker label={hasEarlierResult ? "Upload another file" : "Excel or CSV file"} onChoose={choose}>
        <Failure failure={missing ?? upload.failure ?? refused?.failure} />
      </Picker>
      <a className="btn" href="/admin/product_template.csv" download="product_template.csv">
        <Icon name="download" className="i s" />
        Template
      </a>
      <span className="without-script">
        <SubmitButton intent="bulkUpload" busy="Uploading…" className="btn primary">
          Upload
        </SubmitButton>
      </span>
      {upload.phase === "reading" && (
        <span className="soft" role="status">
          <span className="spinner" aria-hidden="true" /> Reading the file…
        </span>
      )}
      <ColumnNames refused={refused} />
    </Form>
  );
}

/** Error message, with a link to the login page after an expired session. */
function Failure({ failure }: { failure: ImportFailure | string | null | undefined }) {
  const { message, isSignedOut } =
    typeof failure === "object" ? { ...failure } : { message: failure, isSignedOut: false };
  return (
    <>
      <FormError message={message} />
      {isSignedOut && (
        <a className="btn" href="/login" target="_blank" rel="noopener">
          Log in in another tab, then choose the file again
        </a>
      )}
    </>
  );
}

/** Accepts a file that is chosen, dropped, or was chosen before hydration. */
function useFileInput(upload: ImportState) {
  const [missing, setMissing] = useState<string | null>(null);
  const choose = (file: File) => {
    setMissing(null);
    upload.begin(file);
  };
  const dropHandlers = useFileDrop(([file]) => file && choose(file));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const file = new FormData(event.currentTarget).get("file");
    event.preventDefault();
    if (file instanceof File && file.name) choose(file);
    else setMissing(NO_FILE);
  };
  return { missing, choose, dropHandlers, onSubmit };
}

interface PickerProps {
  label: string;
  onChoose: (file: File) => void;
  children: ReactNode;
}

function Picker({ label, onChoose, children }: PickerProps) {
  const input = usePreselectedFiles(([file]) => file && onChoose(file));
  return (
    <div className="grow">
      <label htmlFor="import-file">{label}</label>
      <input
        ref={input}
        id="import-file"
        type="file"
        name="file"
        accept=".csv,.xlsx,.xls"
        onChange={({ target }) => target.files?.[0] && onChoose(target.files[0])}
        aria-describedby="import-hint"
      />
      <ul className="soft hints" id="import-hint">
        <li className="needs-script">
          Choose a file or drop it here: a dry run comes before anything is stored.
        </li>
        <li>{`.csv, .xlsx or .xls, up to ${MAX_FILE_BYTES / 1024 ** 2} MB and ${MAX_ROWS.toLocaleString("en")} products, with ${MAX_VARIANT_ROWS.toLocaleString("en")} rows of variants.`}</li>
        <li>Columns: {FIELDS.join(", ")}.</li>
        <li>New products need a name and a price; a product of the same key or name is updated.</li>
        <li>Exports of Shopify, WooCommerce, Square, Etsy, Wix, Squarespace and others need no changes.</li>
      </ul>
      {children}
    </div>
  );
}

interface PlannedFileProps {
  url: string;
  upload: ImportState;
  plan: Plan;
  timezone: string;
}

/** The planned file with its questions, a form of its own without JavaScript. */
function PlannedFile({ url, upload, plan, timezone }: PlannedFileProps) {
  const heading = useRef<HTMLDivElement>(null);
  // A failure may disable the pressed button, which loses the focus; the message stands below this heading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each failure
  useEffect(() => heading.current?.focus(), [upload.failure]);
  // An answer takes away its question, and with it the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each plan
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    (heading.current?.closest("form")?.querySelector("fieldset") ?? heading.current)?.focus();
  }, [plan]);
  const choices = { ...plan.choices, reading: readingOf(plan.reading) };
  return (
    <Form
      method="post"
      action={url}
      encType="multipart/form-data"
      onSubmit={(event) => {
        event.preventDefault();
        void upload.commit();
      }}
    >
      <input type="hidden" name="run" value={plan.run} />
      <input type="hidden" name="choices" value={JSON.stringify(choices)} />
      <div className="file">
        <span className="file-icon">
          <Icon name="file-spreadsheet" />
        </span>
        <div className="grow" ref={heading} tabIndex={-1}>
          <b>{plan.fileName}</b>
          <FileFacts plan={plan} checkedAt={formatTime(upload.checkedAt / 1000, timezone)} />
        </div>
        <PlannedActions url={url} upload={upload} plan={plan} />
      </div>
      <ReadingFields upload={upload} plan={plan} />
      <PriceQuestion upload={upload} plan={plan} />
      <VariantQuestions upload={upload} plan={plan} />
    </Form>
  );
}

function FileFacts({ plan, checkedAt }: { plan: Plan; checkedAt: string }) {
  return (
    <>
      <div className="soft">{describeFile(plan, checkedAt)}</div>
      {plan.remark && <div className="soft">{plan.remark}.</div>}
      {plan.reading.cut && <b>{plan.reading.cut}.</b>}
    </>
  );
}

function PlannedActions({ url, upload, plan }: Omit<PlannedFileProps, "timezone">) {
  const isStoring = upload.phase === "storing";
  const count = plan.rows.filter(({ action }) => action === "create" || action === "update").length;
  return (
    <>
      {plan.prices && <span className="soft">1 question left</span>}
      <a
        className="btn"
        href={localTo(url)}
        aria-disabled={isStoring || undefined}
        onClick={(event) => {
          event.preventDefault();
          if (!isStoring) upload.begin(null);
        }}
      >
        Choose another file
      </a>
      {!plan.prices && (
        <button type="submit" className="btn without-script" name="intent" value="planUpload">
          Update the dry run
        </button>
      )}
      <button
        type="submit"
        name="intent"
        value="bulkUpload"
        className="btn primary"
        aria-busy={isStoring || undefined}
        disabled={upload.phase !== "planned" || count === 0}
      >
        {isStoring ? <span className="spinner" aria-hidden="true" /> : <Icon name="upload" className="i s" />}
        {isStoring ? "Uploading…" : uploadLabel(count, plan)}
      </button>
    </>
  );
}

function uploadLabel(count: number, plan: Plan): string {
  const { rows } = plan;
  const noun = rowLabel(plan);
  if (count > 0) return `Upload ${counted(count, noun)}`;
  if (rows.length === 0 || rows.some(({ action }) => action !== "skip")) return "Nothing to upload yet";
  return `Nothing to upload: ${counted(rows.length, noun)} to skip`;
}

/** Describes the planned file. @param checkedAt time of day */
function describeFile(
  { fileRows, headers, bytes, sheetName, source, title }: Plan,
  checkedAt: string,
): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    counted(fileRows, "row"),
    counted(headers.length, "column"),
    size,
    sheetName && `sheet “${sheetName}”`,
    title ?? SOURCES[source],
    `checked at ${checkedAt}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function Progress({ progress }: { progress: ImportState["progress"] }) {
  const { stored, total, startedAt } = progress ?? { stored: 0, total: 0, startedAt: 0 };
  const ratio = total > 0 ? stored / total : 0;
  const secondsLeft = ratio > 0 ? Math.ceil(((Date.now() - startedAt) / 1000) * (1 / ratio - 1)) : null;
  return (
    <div className="import-progress">
      <span>
        <b>
          {total > 0
            ? `${stored.toLocaleString("en")} of ${total.toLocaleString("en")} products done`
            : "Checking the file"}
        </b>
        <span className="soft">
          {secondsLeft ? `About ${secondsLeft} s left. ` : ""}If the connection breaks, upload again: no row
          is stored twice
        </span>
      </span>
      <b>{Math.round(ratio * 100)} %</b>
      <progress max={1} value={ratio} aria-label="Rows stored" />
    </div>
  );
}
