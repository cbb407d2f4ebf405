import { useNavigate } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { popoverTrigger } from "~/ui/popover";
import { useShortcuts } from "~/ui/shortcuts";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ADMIN_MENU, AdminMenu } from "./AdminMenu";
import { KeyboardShortcuts, SHORTCUTS_DIALOG } from "./KeyboardShortcuts";
import { ADMIN_SECTIONS, sectionAt } from "./sections";

interface AdminShellProps {
  shopName: string;
  /** First name of the user; may be empty. */
  firstName: string;
  theme: ThemeChoice;
  /** Number of unread messages. */
  unread: number;
  /** Path of the displayed or loading page. */
  path: string;
  children: ReactNode;
}

/** Sidebar and header around every admin page. */
export function AdminShell({ shopName, firstName, theme, unread, path, children }: AdminShellProps) {
  useSectionKeys();
  return (
    <div className="admin-shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AdminMenu shopName={shopName} firstName={firstName} theme={theme} unread={unread} path={path} />
      <div className="admin-main">
        <Header theme={theme} unread={unread} path={path} />
        <main className="admin-content" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <KeyboardShortcuts />
    </div>
  );
}

function Header({ theme, unread, path }: Pick<AdminShellProps, "theme" | "unread" | "path">) {
  return (
    <header className="admin-header">
      <button
        {...popoverTrigger(ADMIN_MENU)}
        className="tool-button menu-button"
        aria-label={unread > 0 ? `Open menu, unread messages: ${unread}` : "Open menu"}
      >
        <Icon name="menu" />
        {unread > 0 && (
          <span className="unread-count" aria-hidden="true">
            {unread}
          </span>
        )}
      </button>
      <div className="grow">
        <h1>{sectionAt(path)?.title ?? "Back office"}</h1>
        <p>Manage your store and monitor performance</p>
      </div>
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

/** Binds G and a letter to each section, and `?` to the list of shortcuts. */
function useSectionKeys(): void {
  const navigate = useNavigate();
  const sections = ADMIN_SECTIONS.map(({ path, letter }) => [`g ${letter}`, () => navigate(path)] as const);
  useShortcuts({
    ...Object.fromEntries(sections),
    "?": () => {
      const list = document.getElementById(SHORTCUTS_DIALOG);
      if (list?.togglePopover()) list.querySelector("button")?.focus();
    },
  });
}
