import type { ChangeEvent } from "react";
import { localTo } from "~/domain/local-to";
import { EXPENSE } from "~/features/ledger/expense";
import type { ExpenseRow } from "~/features/ledger/views";
import type { FileCard } from "~/features/storage/file-card";
import { FILE_LIMIT } from "~/features/storage/file-hint";
import { ACCEPTED_TYPES, formatSize, isPicture, THUMBNAIL_WIDTHS } from "~/features/storage/files";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { Field, FieldNotes } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import type { FieldValue } from "~/ui/useCheckedForm";

const SUPPLIERS = "expense-suppliers";

/** Edits the supplier, with those of the latest expenses as suggestions. */
export function SupplierField({ suppliers, ...value }: FieldValue & { suppliers: string[] }) {
  const { label } = EXPENSE.fields.supplier;
  return (
    <>
      <Field label={`${label} (optional)`} maxLength={100} autoComplete="off" list={SUPPLIERS} {...value} />
      <datalist id={SUPPLIERS}>
        {suppliers.map((supplier) => (
          <option key={supplier} value={supplier} />
        ))}
      </datalist>
    </>
  );
}

/** Paper clip with the number of an expense's files; leads to them. */
export function FileCount({ row: { id, files = [] }, params }: { row: ExpenseRow; params: ListParams }) {
  if (files.length === 0) return null;
  const label = counted(files.length, "file");
  return (
    <Link
      className="quiet-link file-count"
      to={listUrl(params, {}, { kind: "edit", id })}
      aria-label={label}
      title={label}
      preventScrollReset
    >
      <Icon name="paperclip" className="i s" />
      {files.length}
    </Link>
  );
}

/** Returns the URL of a file. @param width px, for a picture; its full size by default */
const fileUrl = (key: string, width?: number) =>
  `/api/expense/file?key=${encodeURIComponent(key)}${width ? `&w=${width}` : ""}`;

/** Files that are chosen, by the id of their field: a form that comes back refused is drawn anew. */
export type ChosenFiles = Map<string, FileList>;

interface FilesFieldProps {
  files: FileCard[];
  error: string | undefined;
  chosen: ChosenFiles;
  /** The form has come back, without the chosen files. */
  isRefused: boolean;
}

/** Bills of an expense: those that it has, and fields that add others, by camera too. */
export function FilesField({ files, error, chosen, isRefused }: FilesFieldProps) {
  const kept = (id: string) => ({
    id,
    name: "files",
    type: "file",
    ref: (input: HTMLInputElement | null) => {
      const before = chosen.get(id);
      if (input && before && input.files?.length === 0) input.files = before;
    },
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => target.files && chosen.set(id, target.files),
  });
  return (
    <fieldset className="field col-6 expense-files">
      <legend>Bills</legend>
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <FileItem key={file.key} file={file} />
          ))}
        </ul>
      )}
      <div className="button-row">
        <label className="file-choice">
          <span>Add files</span>
          <input {...kept("expense-files")} accept={ACCEPTED_TYPES} multiple />
        </label>
        <label className="file-choice by-camera">
          <span>Take a picture</span>
          <input {...kept("expense-camera")} accept="image/jpeg,image/png" capture="environment" />
        </label>
      </div>
      <FieldNotes id="expense-files" error={error} hint={FILE_LIMIT} />
      {isRefused && (
        <p className="hint without-script">Files that were chosen before have to be chosen again.</p>
      )}
    </fieldset>
  );
}

const REMOVAL = "expense-file-removal";

function FileItem({ file }: { file: FileCard }) {
  const { key, name, size } = file;
  return (
    <li>
      <a href={localTo(fileUrl(key))} target="_blank" rel="noopener">
        {isPicture(file) ? (
          <img src={fileUrl(key, THUMBNAIL_WIDTHS[0])} width={56} height={56} alt="" decoding="async" />
        ) : (
          <Icon name="file-text" />
        )}
        <span className="file-name">
          {name}
          <small>{formatSize(size)}</small>
        </span>
      </a>
      <button
        className="tool-button danger"
        type="submit"
        form={REMOVAL}
        name="key"
        value={key}
        aria-label={`Remove ${name}`}
        title="Remove"
      >
        <Icon name="trash-2" className="i s" />
      </button>
    </li>
  );
}

/** Form of the buttons that remove a file: it stands outside that of the expense, whose values stay as they are typed. */
export const RemovalForm = ({ action }: { action: string }) => (
  <Form id={REMOVAL} method="post" action={action} preventScrollReset>
    <input type="hidden" name="intent" value="removeFile" />
  </Form>
);
