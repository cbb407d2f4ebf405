import { describedBy, FieldNotes } from "~/ui/Field";

interface PictureFieldProps {
  id: string;
  name: string;
  label: string;
  className?: string;
  error: string | undefined;
  /** A file was chosen; no form can be drawn again with one. */
  wasChosen: boolean;
}

/** Field for the file of a picture. */
export function PictureField({ id, name, label, className = "field", error, wasChosen }: PictureFieldProps) {
  const hint = wasChosen && "Choose the picture again";
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
