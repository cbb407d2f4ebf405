import { Form } from "@remix-run/react";
import { Download, FileSpreadsheet, Upload } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { FormError } from "~/ui/FormError";
import { SubmitButton } from "~/ui/SubmitButton";
import { useEarlyFiles } from "~/ui/useEarlyFiles";
import { BULK_UPLOAD, SHELF_PATH } from "../shelves/lists";
import { Choices } from "./Choices";
import type { Plan } from "./plan";
import type { Bulk } from "./useBulk";

interface FilePanelProps {
  bulk: Bulk;
  /** Why the form was refused. */
  failure: string | null;
  /** A result stands above: this is for the next file. */
  again: boolean;
}

const NO_FILE = "Please select a file to upload";
const SOURCES = {
  template: "the shop's own columns",
  shopify: "a Shopify export",
  woocommerce: "a WooCommerce export",
  other: "columns of its own",
};

/** The file: chosen, then what it is, then how far its storing is. */
export function FilePanel({ bulk, failure, again }: FilePanelProps) {
  return (
    <section className="panel bulk-file" aria-label="The file">
      {bulk.plan ? (
        <ReadFile bulk={bulk} plan={bulk.plan} />
      ) : (
        <ChooseFile bulk={bulk} failure={failure} again={again} />
      )}
      {bulk.plan && bulk.failure && <FormError message={bulk.failure} />}
      {bulk.phase === "storing" && <Progress progress={bulk.progress} />}
      {bulk.plan && <Choices bulk={bulk} plan={bulk.plan} />}
    </section>
  );
}

function ChooseFile({ bulk, failure, again }: FilePanelProps) {
  const [missing, setMissing] = useState<string | null>(null);
  const pick = (file: File) => {
    setMissing(null);
    bulk.choose(file);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const file = new FormData(event.currentTarget).get("file");
    event.preventDefault();
    if (file instanceof File && file.name) bulk.choose(file);
    else setMissing(NO_FILE);
  };
  return (
    <Form
      method="post"
      action={`${SHELF_PATH}?dialog=${BULK_UPLOAD}`}
      encType="multipart/form-data"
      className="file"
      onSubmit={onSubmit}
    >
      <span className="sheet">
        <FileSpreadsheet className="i" aria-hidden="true" />
      </span>
      <Picker label={again ? "Upload another file" : "Excel or CSV file"} onPick={pick}>
        <FormError message={missing ?? bulk.failure ?? failure} />
      </Picker>
      <a className="btn" href="/admin/product_template.csv" download="product_template.csv">
        <Download className="i s" aria-hidden="true" />
        Template
      </a>
      <span className="no-script">
        <SubmitButton intent="bulkUpload" busy="Uploading…" className="btn act">
          Upload
        </SubmitButton>
      </span>
      {bulk.phase === "reading" && <Reading />}
    </Form>
  );
}

function Reading() {
  return (
    <span className="soft" role="status">
      <span className="spin" aria-hidden="true" /> Reading the file…
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
      <p className="soft" id="bulk-hint">
        .csv, .xlsx or .xls, up to 10 MB and 20,000 rows. Product exports of Shopify and WooCommerce are
        understood as they are.
      </p>
      {children}
    </div>
  );
}

function ReadFile({ bulk, plan }: { bulk: Bulk; plan: Plan }) {
  const isStoring = bulk.phase === "storing";
  const will = plan.rows.filter(({ does }) => does === "create" || does === "update").length;
  return (
    <div className="file">
      <span className="sheet">
        <FileSpreadsheet className="i" aria-hidden="true" />
      </span>
      <div className="grow">
        <b>{plan.fileName}</b>
        <div className="soft">{inWords(plan, bulk.checkedAt)}</div>
      </div>
      <button type="button" className="btn" disabled={isStoring} onClick={bulk.reset}>
        Choose another file
      </button>
      <button
        type="button"
        className="btn act"
        aria-busy={isStoring || undefined}
        disabled={bulk.phase !== "planned" || will === 0}
        onClick={() => void bulk.store()}
      >
        {isStoring ? (
          <span className="spin" aria-hidden="true" />
        ) : (
          <Upload className="i s" aria-hidden="true" />
        )}
        {isStoring ? "Uploading…" : uploadWords(will)}
      </button>
    </div>
  );
}

function uploadWords(will: number): string {
  if (will === 0) return "Nothing to upload";
  return will === 1 ? "Upload 1 row" : `Upload ${will.toLocaleString("en")} rows`;
}

function inWords({ fileRows, headers, bytes, sheetName, source }: Plan, checkedAt: number): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const time = new Date(checkedAt).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return [
    `${fileRows.toLocaleString("en")} rows`,
    `${headers.length} columns`,
    size,
    sheetName && `sheet “${sheetName}”`,
    SOURCES[source],
    `checked at ${time}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** How far storing is, from real counts. */
function Progress({ progress }: { progress: Bulk["progress"] }) {
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
          {left ? ` · about ${left} s left` : ""} · if the connection breaks, send the same file again: no row
          is stored twice
        </span>
      </span>
      <b>{Math.round(part * 100)} %</b>
      <progress max={1} value={part} aria-label="Rows stored" />
    </div>
  );
}
