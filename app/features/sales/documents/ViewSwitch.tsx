import { Link } from "~/ui/navigation";
import { DOCUMENTS_PATH } from "../urls";

const VIEWS = [
  { to: "/admin/invoices-management", name: "Lines" },
  { to: DOCUMENTS_PATH, name: "Documents" },
] as const;

/** Switches the invoices between ledger lines and documents. */
export function ViewSwitch({ current }: { current: (typeof VIEWS)[number]["name"] }) {
  return (
    <nav className="view-switch" aria-label="Show">
      {VIEWS.map(({ to, name }) => (
        <Link key={name} to={to} aria-current={name === current ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
