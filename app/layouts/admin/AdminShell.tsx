import { useLocation, useMatches } from "@remix-run/react";
import { type FocusEvent, Fragment, type ReactNode } from "react";
import { logoUrl } from "~/domain/logo";
import type { StaffRole } from "~/domain/staff-role";
import { FindButton } from "~/features/find/FindButton";
import { unsubscribeBrowser } from "~/features/push/browser";
import { Icon, Logo } from "~/ui/Icon";
import { Form, Link, useNavigate } from "~/ui/navigation";
import { popover, popoverClose, popoverSheet, popoverTrigger } from "~/ui/popover";
import { useShortcuts } from "~/ui/shortcuts";
import { useSite } from "~/ui/site";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { type Unread, UnreadCount, unreadLabel } from "~/ui/UnreadCount";
import { KeyboardShortcuts, SHORTCUTS_DIALOG } from "./KeyboardShortcuts";
import {
  type PageHeading,
  type SectionPath,
  sectionAt,
  sectionOf,
  sectionsOf,
  sectionTitle,
  sectionUrl,
} from "./sections";

interface AdminShellProps {
  shopName: string;
  /** First name of the user; may be empty. */
  firstName: string;
  theme: ThemeChoice;
  unread: Unread;
  /** Number of things that wait today; null where it could not be read. */
  waiting: Unread | null;
  /** Page with which the back office opens for the user. */
  firstPage: string;
  path: string;
  role: StaffRole;
  children: ReactNode;
}

export function AdminShell({ children, ...menu }: AdminShellProps) {
  const { theme, unread, path, role, firstPage } = menu;
  useSectionKeys(role);
  return (
    <div className="admin-shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AdminMenu {...menu} />
      <div className="admin-main">
        <Header {...{ theme, unread, path, firstPage, role }} />
        <main className="admin-content" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <KeyboardShortcuts role={role} />
    </div>
  );
}

type HeaderProps = Pick<AdminShellProps, "theme" | "unread" | "path" | "firstPage" | "role">;

function Header({ theme, unread, path, firstPage, role }: HeaderProps) {
  return (
    <header className="admin-header">
      <button
        {...popoverTrigger(ADMIN_MENU)}
        className="tool-button menu-button"
        aria-label={unread.count > 0 ? `Open menu, unread messages: ${unreadLabel(unread)}` : "Open menu"}
      >
        <Icon name="menu" />
        {unread.count > 0 && (
          <span className="unread-count" aria-hidden="true">
            {unreadLabel(unread)}
          </span>
        )}
      </button>
      <Heading path={path} role={role} />
      {sectionAt(path)?.path === TODAY && role !== "seller" && <FirstPage isFirst={firstPage === TODAY} />}
      <FindButton />
      <button
        {...popoverTrigger(SHORTCUTS_DIALOG)}
        className="tool-button wide needs-script"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts ( ? )"
      >
        <Icon name="keyboard" />
      </button>
      <div className="wide">
        <ThemeSwitch theme={theme} />
      </div>
    </header>
  );
}

const TODAY: SectionPath = "/admin/today";

/** Chooses Today as the user's first page of the back office, or the dashboard again. */
function FirstPage({ isFirst }: { isFirst: boolean }) {
  return (
    <Form method="post" action={TODAY} className="first-page">
      {!isFirst && <input type="hidden" name="isFirst" value="true" />}
      <button
        type="submit"
        name="intent"
        value="firstPage"
        className="btn quiet small"
        aria-pressed={isFirst}
        title="The back office opens with this page for you, on this device"
      >
        {isFirst && <Icon name="check" className="i s" />}
        My first page
      </button>
    </Form>
  );
}

/** Returns the heading of a page below a section. */
function useHeading(): PageHeading | undefined {
  const data = useMatches().at(-1)?.data as { heading?: PageHeading } | null | undefined;
  return data?.heading;
}

/** Shows the section's title, or that of a page below it with the way back. */
function Heading({ path, role }: Pick<AdminShellProps, "path" | "role">) {
  const heading = useHeading();
  if (!heading?.trail)
    return (
      <div className="grow">
        <h1>{heading?.title ?? sectionTitle(path, role)}</h1>
        <p>{heading?.text ?? "Manage your store and monitor performance"}</p>
      </div>
    );
  return (
    <div className="grow">
      <nav className="heading-trail" aria-label="Path">
        {heading.trail.map(({ to, title }) => (
          <Link key={to} to={to}>
            {title}
            <Icon name="chevron-right" className="i s" />
          </Link>
        ))}
      </nav>
      <h1>{heading.title}</h1>
    </div>
  );
}

/** Returns the function that builds the address of a section from the page that is open. */
function useSectionUrls() {
  const { pathname, search } = useLocation();
  return (path: Parameters<typeof sectionUrl>[0]) => sectionUrl(path, sectionAt(pathname)?.path, search);
}

/** Binds G and a letter to each section, and `?` to the list of shortcuts. */
function useSectionKeys(role: StaffRole): void {
  const navigate = useNavigate();
  const urlOf = useSectionUrls();
  const sections = sectionsOf(role).map(
    ({ to, letter }) => [`g ${letter}`, () => navigate(urlOf(to))] as const,
  );
  useShortcuts({
    ...Object.fromEntries(sections),
    "?": () => {
      const list = document.getElementById(SHORTCUTS_DIALOG);
      if (list?.togglePopover()) list.querySelector("button")?.focus();
    },
  });
}

/** Id of the menu, which the header's button opens. */
const ADMIN_MENU = "admin-menu";
const USER_MENU = "admin-user";

/** Navigation of the back office: a sidebar, an icon rail, or a sliding menu on phones, by CSS alone. */
function AdminMenu(menu: Omit<AdminShellProps, "children">) {
  const { shopName, firstName, theme, role, firstPage } = menu;
  const { logo } = useSite();
  return (
    <aside
      {...popoverSheet(ADMIN_MENU)}
      className="admin-sidebar"
      aria-label="Back office"
      onBlur={closeOnFocusLeave}
    >
      <Link className="brand" to={firstPage} title={shopName}>
        {logo ? <img src={logoUrl(logo)} alt="" height={26} /> : <Logo />}
        <span>
          <b>{shopName}</b>
          <small>Back office</small>
        </span>
      </Link>
      <button {...popoverClose(ADMIN_MENU)} className="tool-button side-close" aria-label="Close menu">
        <Icon name="x" />
      </button>
      <Sections {...menu} />
      <div className="admin-sidebar-foot">
        <Link to="/" title="Back to Shop">
          <Icon name="store" />
          <span>Back to Shop</span>
        </Link>
        <div className="side-themes">
          <ThemeSwitch theme={theme} />
        </div>
        <UserMenu firstName={firstName} role={role} />
      </div>
    </aside>
  );
}

/** Closes the menu, which covers the page, when the focus moves to the page. */
function closeOnFocusLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  const isOpen = currentTarget.matches(":popover-open");
  if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
}

type SectionsProps = Pick<AdminShellProps, "unread" | "waiting" | "path" | "role">;

/** Section before which a line parts the trade from the system. */
const FIRST_SYSTEM_SECTION: SectionPath = "/admin/integrations";

function Sections({ unread, waiting, path: currentPath, role }: SectionsProps) {
  const current = sectionOf(currentPath, useHeading())?.path;
  const urlOf = useSectionUrls();
  return (
    <nav className="admin-nav" aria-label="Sections">
      {sectionsOf(role).map(({ path, to, title, icon }) => (
        <Fragment key={path}>
          {path === FIRST_SYSTEM_SECTION && <hr />}
          <Link to={urlOf(to)} title={title} aria-current={path === current ? "page" : undefined}>
            <Icon name={icon} />
            <span>{title}</span>
            {path === "/admin/chat" && <UnreadCount {...unread} />}
            {path === TODAY && waiting && <WaitingCount {...waiting} />}
          </Link>
        </Fragment>
      ))}
    </nav>
  );
}

/** Number of things that wait, nothing for 0. */
function WaitingCount(waiting: Unread) {
  if (waiting.count === 0) return null;
  return (
    <span className="unread-count plain">
      <span className="visually-hidden">waiting: </span>
      {unreadLabel(waiting)}
    </span>
  );
}

const ROLE_TITLES: Record<StaffRole, string> = {
  admin: "Administrator",
  manager: "Manager",
  seller: "Seller",
};

function UserMenu({ firstName, role }: Pick<AdminShellProps, "firstName" | "role">) {
  const name = firstName || "Admin";
  return (
    <div className="user-menu">
      <button {...popoverTrigger(USER_MENU)} className="user-menu-button" title="User menu">
        <span className="avatar" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <span className="grow">
          <b className="truncate">{name}</b>
          <small>{ROLE_TITLES[role]}</small>
        </span>
        <Icon name="chevrons-up-down" className="i s" />
      </button>
      <div {...popover(USER_MENU)} className="user-menu-popover">
        <Link to="/account">
          <Icon name="user-round" />
          My Account
        </Link>
        <Form method="post" action="/logout" onSubmit={() => void unsubscribeBrowser("staff")}>
          <input type="hidden" name="redirectTo" value="/login" />
          <button type="submit" data-closes>
            <Icon name="log-out" />
            Logout
          </button>
        </Form>
      </div>
    </div>
  );
}
