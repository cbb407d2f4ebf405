import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useSite } from "./site";

/** One numbered part of a legal text. */
export interface LegalSection {
  id: string;
  title: string;
  body: ReactNode;
}

interface LegalPageProps {
  title: string;
  /** What this text is, and when it was last changed. */
  lead: ReactNode;
  sections: LegalSection[];
  /** The other text. */
  also: { to: string; name: string };
}

/** A legal text that can be read: its parts listed, numbered, each with an address of its own. */
export function LegalPage({ title, lead, sections, also }: LegalPageProps) {
  return (
    <div className="wrap legal">
      <header className="legal-head">
        <h1>{title}</h1>
        <p>{lead}</p>
      </header>
      <nav className="legal-contents" aria-label="Contents">
        <ol>
          {sections.map(({ id, title: name }) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal-text">
        {sections.map(({ id, title: name, body }) => (
          <section key={id} id={id}>
            <h2>{name}</h2>
            {body}
          </section>
        ))}
        <p className="legal-links">
          <Link className="btn btn-line" to={also.to}>
            {also.name}
          </Link>
          <Link className="btn btn-quiet" to="/">
            Home
          </Link>
        </p>
      </div>
    </div>
  );
}

/** The legal mailbox and the shop's phone. */
export function LegalContact() {
  const { legalEmail, phone } = useSite();
  return (
    <ul>
      <li>
        Email:{" "}
        <a className="link" href={`mailto:${legalEmail}`}>
          {legalEmail}
        </a>
      </li>
      <li>
        Phone:{" "}
        <a className="link" href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
          {phone}
        </a>
      </li>
    </ul>
  );
}
