import { Link } from "~/ui/Link";

/** Where a page stands: links from the outermost in (spec 2, product detail). */
export function Breadcrumb({ trail }: { trail: { name: string; to: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="breadcrumbs">
        {trail.map(({ name, to }) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
