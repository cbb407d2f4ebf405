import { Form } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { formatTime } from "~/ui/dates";
import { FormError } from "~/ui/FormError";
import type { FormFailure } from "~/ui/form-failure";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";
import { useConnectionLost } from "~/ui/useConnectionLost";
import { useEarlyFiles } from "~/ui/useEarlyFiles";
import { Choices } from "./Choices";
import { ColumnNames } from "./ColumnNames";
import { FIELDS } from "./columns";
import { type Plan, rowLabel } from "./plan";
import type { ImportState } from "./useImport";

interface FilePanelProps {
  /** Of the page, with its query: where the file goes without a script. */
  address: string;
  bulk: ImportState;
  /** What was sent without a script, and why it was refused. */
  refused: FormFailure | undefined;
  /** A result stands above: this is for the next file. */
  again: boolean;
  timezone: string;
}

/** What somebody is told who is no longer signed in (storefront 8). */
const SIGNED_OUT = "Please log in to continue.";
const NO_FILE = "Please select a file to upload";
const SOURCES = {
  template: "the shop's own columns",
  shopify: "a Shopify export",
  woocommerce: "a WooCommerce export",
  other: "columns of its own",
};

/** The file: chosen, then what it is, then how far its storing is. */
export function FilePanel({ address, bulk, refused, again, timezone }: FilePanelProps) {
  return (
    <section className="panel bulk-file" aria-label="The file">
      {bulk.plan ? (
        <ReadFile bulk={bulk} plan={bulk.plan} timezone={timezone} />
      ) : (
        <ChooseFile address={address} bulk={bulk} refused={refused} again={again} />
      )}
      {bulk.plan && <Failure message={bulk.failure} />}
      {bulk.phase === "storing" && <Progress progress={bulk.progress} />}
      {bulk.plan && <Choices bulk={bulk} plan={bulk.plan} />}
    </section>
  );
}

function ChooseFile({ address, bulk, refused, again }: Omit<FilePanelProps, "timezone">) {
  const { missing, pick, dropped, onSubmit } = usePicking(bulk);
  return (
    <Form
      method="post"
      action={address}
      encType="multipart/form-data"
      className="file"
      onSubmit={onSubmit}
      {...dropped}
    >
      <span className="file-icon">
        <Icon name="file-spreadsheet" />
      </span>
      <Picker label={again ? "Upload another file" : "Excel or CSV file"} onPick={pick}>
        <Failure message={missing ?? bulk.failure ?? refused?.failure} />
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
      {bulk.phase === "reading" && <Reading />}
      <ColumnNames refused={refused} />
    </Form>
  );
}

/** Why it didn't work; somebody who was signed out meanwhile finds the way in. */
function Failure({ message }: { message: string | null | undefined }) {
  return (
    <>
      <FormError message={message} />
      {message === SIGNED_OUT && (
        <a className="btn" href="/login" target="_blank" rel="noopener">
          Log in in another tab, then choose the file again
        </a>
      )}
    </>
  );
}

/** The file may be chosen, dropped, or have been chosen before the script was there. */
function usePicking(bulk: ImportState) {
  const [missing, setMissing] = useState<string | null>(null);
  const pick = (file: File) => {
    setMissing(null);
    bulk.choose(file);
  };
  const dropped = useConnectionLost(([file]) => file && pick(file));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const file = new FormData(event.currentTarget).get("file");
    event.preventDefault();
    if (file instanceof File && file.name) pick(file);
    else setMissing(NO_FILE);
  };
  return { missing, pick, dropped, onSubmit };
}

function Reading() {
  return (
    <span className="soft" role="status">
      <span className="spinner" aria-hidden="true" /> Reading the file…
    </span>
  );
}

interface PickerProps {
  label: string;
  onPick: (file: File) => void;
  children: ReactNode;
}

function Picker({ label, onPick, children }: PickerProps) {
  const input = useEarlyFiles(([file]) => file && onPick(file));
  return (
    <div className="grow">
      <label htmlFor="bulk-file">{label}</label>
      <input
        ref={input}
        id="bulk-file"
        type="file"
        name="file"
        accept=".csv,.xlsx,.xls"
        onChange={({ target }) => target.files?.[0] && onPick(target.files[0])}
        aria-describedby="bulk-hint"
      />
      <ul className="soft hints" id="bulk-hint">
        <li className="needs-script">
          Choose a file or drop it here: a dry run comes before anything is stored.
        </li>
        <li>.csv, .xlsx or .xls, up to 10 MB and 20,000 rows.</li>
        <li>Columns: {FIELDS.join(", ")}.</li>
        <li>New products need a name and a price; a known name is updated.</li>
        <li>Product exports of Shopify and WooCommerce go as they are.</li>
      </ul>
      {children}
    </div>
  );
}

interface ReadFileProps {
  bulk: ImportState;
  plan: Plan;
  timezone: string;
}

function ReadFile({ bulk, plan, timezone }: ReadFileProps) {
  const heading = useRef<HTMLDivElement>(null);
  // What was pressed may stand still when it failed: what happened is read from here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure anew
  useEffect(() => heading.current?.focus(), [bulk.failure]);
  const isStoring = bulk.phase === "storing";
  const will = plan.rows.filter(({ does }) => does === "create" || does === "update").length;
  return (
    <div className="file">
      <span className="file-icon">
        <Icon name="file-spreadsheet" />
      </span>
      <div className="grow" ref={heading} tabIndex={-1}>
        <b>{plan.fileName}</b>
        <div className="soft">{inWords(plan, formatTime(bulk.checkedAt / 1000, timezone))}</div>
      </div>
      <button type="button" className="btn" disabled={isStoring} onClick={bulk.reset}>
        Choose another file
      </button>
      <button
        type="button"
        className="btn primary"
        aria-busy={isStoring || undefined}
        disabled={bulk.phase !== "planned" || will === 0}
        onClick={() => void bulk.store()}
      >
        {isStoring ? <span className="spinner" aria-hidden="true" /> : <Icon name="upload" className="i s" />}
        {isStoring ? "Uploading…" : uploadWords(will, rowLabel(plan.source))}
      </button>
    </div>
  );
}

function uploadWords(will: number, thing: string): string {
  if (will === 0) return "Nothing to upload";
  return `Upload ${counted(will, thing)}`;
}

/** @param checked time of day */
function inWords({ fileRows, headers, bytes, sheetName, source }: Plan, checked: string): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    counted(fileRows, "row"),
    counted(headers.length, "column"),
    size,
    sheetName && `sheet “${sheetName}”`,
    SOURCES[source],
    `checked at ${checked}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** How far storing is, from real counts. */
function Progress({ progress }: { progress: ImportState["progress"] }) {
  const { stored, total, startedAt } = progress ?? { stored: 0, total: 0, startedAt: 0 };
  const part = total > 0 ? stored / total : 0;
  const left = part > 0 ? Math.ceil(((Date.now() - startedAt) / 1000) * (1 / part - 1)) : null;
  return (
    <div className="bulk-progress">
      <span>
        <b>
          {total > 0
            ? `${stored.toLocaleString("en")} of ${total.toLocaleString("en")} products done`
            : "Sending the file"}
        </b>
        <span className="soft">
          {left ? `About ${left} s left. ` : ""}If the connection breaks, send the same file again: no row is
          stored twice
        </span>
      </span>
      <b>{Math.round(part * 100)} %</b>
      <progress max={1} value={part} aria-label="Rows stored" />
    </div>
  );
}
