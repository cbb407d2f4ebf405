import { Link } from "~/ui/navigation";
import { useIsSeller } from "~/ui/useIsSeller";
import { DOCUMENTS_PATH, HOLDS_PATH, QUOTES_PATH } from "../urls";

const LEDGER_VIEWS = [
  { to: "/admin/invoices-management", name: "Lines" },
  { to: DOCUMENTS_PATH, name: "Documents" },
] as const;
const VIEWS = [
  ...LEDGER_VIEWS,
  { to: HOLDS_PATH, name: "Holds" },
  { to: QUOTES_PATH, name: "Quotes" },
] as const;

/** Switches the invoices between ledger lines and documents, whose filters leave no room for more, and holds and quotes. Sellers have no lines. */
export function ViewSwitch({ current }: { current: (typeof VIEWS)[number]["name"] }) {
  const isSeller = useIsSeller();
  const ofManagers = LEDGER_VIEWS.some(({ name }) => name === current) ? LEDGER_VIEWS : VIEWS;
  const views = isSeller ? VIEWS.slice(1) : ofManagers;
  return (
    <nav className="view-switch" aria-label="Show">
      {views.map(({ to, name }) => (
        <Link key={name} to={to} aria-current={name === current ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
