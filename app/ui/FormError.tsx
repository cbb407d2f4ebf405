import { CircleAlert } from "lucide-react";

/** Why a form was refused, above its fields; announced when it appears. */
export function FormError({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return (
    <p className="form-error" role="alert">
      <CircleAlert className="i" aria-hidden="true" />
      {message}
    </p>
  );
}
