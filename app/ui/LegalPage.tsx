import type { ReactNode } from "react";
import { Link } from "~/ui/navigation";
import { type ContentsEntry, ContentsPage } from "./ContentsPage";
import { useSite } from "./site";

export interface LegalSection extends ContentsEntry {
  body: ReactNode;
}

interface LegalPageProps {
  title: string;
  /** Introduction with the date of the last change. */
  lead: ReactNode;
  sections: LegalSection[];
  /** Link to the other legal text. */
  otherPage: { to: string; name: string };
}

/** Page of a legal text: table of contents and numbered sections with anchors. */
export function LegalPage({ title, lead, sections, otherPage }: LegalPageProps) {
  return (
    <ContentsPage title={title} lead={lead} contents={sections}>
      {sections.map(({ id, title: name, body }) => (
        <section key={id} id={id}>
          <h2>{name}</h2>
          {body}
        </section>
      ))}
      <p className="legal-links">
        <Link className="btn btn-line" to={otherPage.to}>
          {otherPage.name}
        </Link>
        <Link className="btn btn-quiet" to="/">
          Home
        </Link>
      </p>
    </ContentsPage>
  );
}

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
