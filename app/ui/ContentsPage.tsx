import type { ReactNode } from "react";

/** Section of a page with contents: the heading that the contents name, and its anchor. */
export interface ContentsEntry {
  id: string;
  title: string;
}

interface ContentsPageProps {
  title: string;
  /** Introduction below the title. */
  lead: ReactNode;
  /** Missing for a short text. */
  contents?: ContentsEntry[];
  className?: string;
  /** Sections, in the order of the contents. */
  children: ReactNode;
}

/** Page of running text in sections; with a table of contents they are numbered. */
export function ContentsPage({ title, lead, contents, className = "", children }: ContentsPageProps) {
  return (
    <div className={`wrap contents-page ${className}`}>
      <header className="contents-head">
        <h1>{title}</h1>
        <p>{lead}</p>
      </header>
      {contents && (
        <nav className="contents-list" aria-label="Contents">
          <ol>
            {contents.map(({ id, title: name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="contents-text">{children}</div>
    </div>
  );
}
