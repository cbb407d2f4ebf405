import { Link } from "~/ui/navigation";

const TABS = [
  { to: "/purchases", title: "My purchases" },
  { to: "/chat", title: "My conversations" },
] as const;

/** Tabs of a reader's own pages, which are links. @param props.current the page in front */
export function MineTabs({ current }: { current: (typeof TABS)[number]["to"] }) {
  return (
    <nav className="account-tabs" aria-label="Yours">
      {TABS.map(({ to, title }) => (
        <Link key={to} to={to} aria-current={to === current ? "page" : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
