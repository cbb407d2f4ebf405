import { fieldError } from "~/records/form-state";
import { describedBy, FieldNotes } from "~/ui/Field";
import type { RefusedForm } from "~/ui/useCheckedForm";

interface PictureFieldProps {
  id: string;
  name: string;
  label: string;
  className?: string;
  /** Form that is drawn again, which keeps no file. */
  refused: RefusedForm | undefined;
}

/** Field for the file of a picture. */
export function PictureField({ id, name, label, className = "field", refused }: PictureFieldProps) {
  const error = fieldError(refused, name);
  const hint = refused?.files?.includes(name) && "Choose the picture again";
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        name={name}
        accept="image/jpeg,image/png,image/webp,image/gif"
        {...describedBy(id, error, hint)}
      />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}
