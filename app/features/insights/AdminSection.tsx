import { Store } from "lucide-react";

/** A section of the back office that has its place and its guard, and nothing in it yet. */
export function AdminSection({ title }: { title: string }) {
  return (
    <section className="panel empty" aria-label={title}>
      <span className="says">
        <Store className="i" aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      <p>This section is not open yet.</p>
    </section>
  );
}
