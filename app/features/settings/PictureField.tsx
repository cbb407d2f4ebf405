import { FieldNotes } from "~/ui/Field";

interface PictureFieldProps {
  id: string;
  name: string;
  label: string;
  className?: string;
  error: string | undefined;
}

/** Field for the file of a picture. */
export const PictureField = ({ id, name, label, className = "field", error }: PictureFieldProps) => (
  <div className={className}>
    <label htmlFor={id}>{label}</label>
    <input
      id={id}
      type="file"
      name={name}
      accept="image/jpeg,image/png,image/webp,image/gif"
      aria-describedby={error ? `${id}-error` : undefined}
    />
    <FieldNotes id={id} error={error} />
  </div>
);
