import { Link } from "~/ui/Link";

/** Breadcrumb links, from the home page inwards. */
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
