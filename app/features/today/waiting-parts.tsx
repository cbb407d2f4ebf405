import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";

interface PanelProps {
  id: string;
  title: string;
  /** Says how many wait. */
  note: string;
  all?: Target;
  /** Lists of those that have no row here. */
  more?: Target[] | false;
  children: ReactNode[];
}

interface Target {
  to: string;
  label: string;
}

/** Panel of one kind; nothing without rows. */
export function Panel({ id, title, note, all, more, children }: PanelProps) {
  if (children.length === 0) return null;
  return (
    <section className="panel waiting" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p>{note}</p>
        {all && (
          <Link className="quiet-link sum" to={all.to}>
            {all.label}
          </Link>
        )}
      </header>
      <ul>{children}</ul>
      {more && (
        <p className="waiting-more">
          {more.map(({ to, label }) => (
            <Link key={to} className="quiet-link" to={to}>
              {label}
            </Link>
          ))}
        </p>
      )}
    </section>
  );
}

interface RowProps {
  name: ReactNode;
  to: string | null;
  mark?: ReactNode;
  text: ReactNode;
  when?: ReactNode;
  acts: ReactNode;
}

/** Row of one thing: its name opens it, its acts are done here. */
export function Row({ name, to, mark, text, when, acts }: RowProps) {
  return (
    <li>
      <div className="grow">
        <p>
          {to ? (
            <Link className="quiet-link" to={to}>
              {name}
            </Link>
          ) : (
            name
          )}
          {mark}
        </p>
        <small>{text}</small>
      </div>
      {when}
      <span className="waiting-acts">{acts}</span>
    </li>
  );
}

/** Time that something waits or has left. @param label what it is, for screen readers */
export function Wait({ label, children }: { label: string; children: string }) {
  return (
    <span className="waiting-time">
      <span className="visually-hidden">{label} </span>
      <Icon name="clock" className="i s" />
      {children}
    </span>
  );
}
