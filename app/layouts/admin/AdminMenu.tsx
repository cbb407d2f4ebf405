import { Form, Link } from "@remix-run/react";
import type { FocusEvent } from "react";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Logo } from "~/ui/Logo";
import { popover, popoverClose, popoverTrigger } from "~/ui/popover";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ADMIN_SECTIONS, type SectionPath, sectionAt } from "./sections";

/** Id of the menu, which the header's button opens. */
export const ADMIN_MENU = "admin-menu";
const USER_MENU = "admin-user";

const ICONS: Record<SectionPath, IconName> = {
  "/admin": "layout-dashboard",
  "/admin/graphs": "chart-line",
  "/admin/inventory-management": "boxes",
  "/admin/invoices-management": "receipt-text",
  "/admin/expenses-management": "wallet",
  "/admin/users-management": "users",
  "/admin/products-management": "tag",
  "/admin/chat": "message-square-text",
};

interface AdminMenuProps {
  shopName: string;
  firstName: string;
  theme: ThemeChoice;
  unread: number;
  /** Path of the displayed page. */
  path: string;
}

/** Navigation of the back office: a sidebar, an icon rail, or a sliding menu on phones, by CSS alone. */
export function AdminMenu({ shopName, firstName, theme, unread, path }: AdminMenuProps) {
  return (
    <aside
      {...popover(ADMIN_MENU)}
      className="admin-sidebar"
      aria-label="Back office"
      onBlur={closeOnFocusLeave}
    >
      <Link className="brand" to="/admin" title={shopName}>
        <Logo />
        <span>
          <b>{shopName}</b>
          <small>Back office</small>
        </span>
      </Link>
      <button {...popoverClose(ADMIN_MENU)} className="tool-button side-close" aria-label="Close menu">
        <Icon name="x" />
      </button>
      <Sections unread={unread} currentPath={path} />
      <div className="admin-sidebar-foot">
        <Link to="/" title="Back to Shop">
          <Icon name="store" />
          <span>Back to Shop</span>
        </Link>
        <div className="side-themes">
          <ThemeSwitch theme={theme} />
        </div>
        <UserMenu firstName={firstName} />
      </div>
    </aside>
  );
}

/** Closes the menu, which covers the page, when the focus moves to the page. */
function closeOnFocusLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  const isOpen = currentTarget.matches(":popover-open");
  if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
}

function Sections({ unread, currentPath }: { unread: number; currentPath: string }) {
  const current = sectionAt(currentPath)?.path;
  return (
    <nav className="admin-nav" aria-label="Sections">
      {ADMIN_SECTIONS.map(({ path, title }) => {
        const icon = ICONS[path];
        return (
          <Link key={path} to={path} title={title} aria-current={path === current ? "page" : undefined}>
            <Icon name={icon} />
            <span>{title}</span>
            {path === "/admin/chat" && unread > 0 && (
              <span className="unread-count">
                <span className="visually-hidden">unread: </span>
                {unread}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

function UserMenu({ firstName }: { firstName: string }) {
  const name = firstName || "Admin";
  return (
    <div className="user-menu">
      <button {...popoverTrigger(USER_MENU)} className="user-menu-button" title="User menu">
        <span className="avatar" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <span className="grow">
          <b className="truncate">{name}</b>
          <small>Administrator</small>
        </span>
        <Icon name="chevrons-up-down" className="i s" />
      </button>
      <div {...popover(USER_MENU)} className="user-menu-popover">
        <Link to="/account">
          <Icon name="user-round" />
          My Account
        </Link>
        <Form method="post" action="/logout">
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
