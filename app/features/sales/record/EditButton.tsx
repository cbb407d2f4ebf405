import type { ReactNode } from "react";
import { editValue, type LineEdit } from "./draft";

interface EditButtonProps {
  edit: LineEdit;
  onEdit: (edit: LineEdit) => void;
  className: string;
  label?: string;
  children: ReactNode;
}

/** Button that edits the lines; without JavaScript it sends the form, which comes back with its lines changed. */
export function EditButton({ edit, onEdit, className, label, children }: EditButtonProps) {
  return (
    <button
      type="submit"
      name="edit"
      value={editValue(edit)}
      className={className}
      aria-label={label}
      title={label}
      onClick={() => onEdit(edit)}
    >
      {children}
    </button>
  );
}
