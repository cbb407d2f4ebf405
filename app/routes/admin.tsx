import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ComponentProps, type ComponentType, useCallback, useEffect, useState } from "react";
import type { StaffNotifications } from "~/features/console/StaffNotifications";
import { ChatWidget } from "~/features/conversation/widget/ChatWidget";
import { readAdminShell } from "~/features/dashboard/page.server";
import { registerWorker } from "~/features/push/browser";
import { countToday } from "~/features/today/operations.server";
import { adminPage } from "~/http/page.server";
import { retryingLoader } from "~/http/retries";
import { AdminShell } from "~/layouts/admin/AdminShell";
import adminCss from "~/layouts/admin/admin.css?url";
import { AdminFailure, SectionSkeleton, useSlowSection } from "~/layouts/admin/section-states";
import { adminTitle, sectionAt, unreadPrefix } from "~/layouts/admin/sections";
import { TABLE_COLUMNS } from "~/layouts/admin/table-columns.server";
import type { loader as rootLoader } from "~/root";
import { type LinkedResult, LinkedToast, type UndoResult, UndoToast } from "~/ui/ResultToasts";
import { isConnectionLost } from "~/ui/retrying-action";
import { useSite } from "~/ui/site";
import type { Unread } from "~/ui/UnreadCount";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: adminCss },
  { rel: "manifest", href: "/admin.webmanifest" },
];

const NONE: Unread = { count: 0 };
/** Shell of an error page whose own data could not be read. */
const UNKNOWN = {
  firstName: "",
  role: "seller",
  unread: NONE,
  waiting: null,
  firstPage: "/admin/today",
} as const;

export const meta: MetaFunction<typeof loader> = ({ location, data }) => [
  { title: adminTitle(location.pathname, data?.unread ?? NONE, data?.role) },
  { name: "robots", content: "noindex" },
];

export async function loader(args: LoaderFunctionArgs) {
  const [shell, waiting] = await Promise.all([adminPage(args, readAdminShell), adminPage(args, countToday)]);
  return json({ ...shell, waiting, tableColumns: TABLE_COLUMNS });
}

export const clientLoader = retryingLoader();

/** Parts of the page that the chat button moves away from: controls at its end, and on phones figures. */
const UNCOVERED = [
  "main :is(.pager *, .reply-form *, .sale-foot *, td, dd, .amt, .sum, .stat-figure, .trend)",
];

/** Context that the shell offers its pages. */
export interface AdminOutlet {
  /** Sets the live number of unread messages; a new function after each reload of the shell, which resets it. */
  setUnread: (unread: Unread) => void;
}

export default function Admin() {
  const loaded = useLoaderData<typeof loader>();
  const { unread, setUnread } = useUnread(loaded);
  const outlet: AdminOutlet = { setUnread };
  const toast = useRouteLoaderData<typeof rootLoader>("root")?.toast;
  const { businesses } = useSite();
  const { pathname } = useLocation();
  const slow = useSlowSection(pathname);
  useEffect(() => {
    // Without its service worker the back office works, except offline and for notifications.
    registerWorker("staff").catch(() => undefined);
  }, []);
  return (
    <Frame {...loaded} unread={unread} path={slow ?? pathname}>
      <UndoToast result={isUndone(toast) ? toast : null} />
      <LinkedToast result={isLinked(toast) ? toast : null} />
      {sectionAt(pathname)?.path !== "/admin/chat" && (
        <Notifications userId={loaded.userId} setUnread={setUnread} />
      )}
      {slow ? (
        <SectionSkeleton path={slow} businessNames={businesses} columns={loaded.tableColumns} />
      ) : (
        <Outlet context={outlet} />
      )}
    </Frame>
  );
}

/** Keeps the number of unread messages, in the tab's title too: the loaded one until a live one is known. */
function useUnread(loaded: { unread: Unread }) {
  const [update, setUpdate] = useState<{ loaded: typeof loaded; unread: Unread } | null>(null);
  const unread = update?.loaded === loaded ? update.unread : loaded.unread;
  const setUnread = useCallback((live: Unread) => setUpdate({ loaded, unread: live }), [loaded]);
  const matches = useMatches();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation or reload resets the title
  useEffect(() => {
    document.title = unreadPrefix(unread) + document.title.replace(/^\(\d+\+?\) /, "");
  }, [unread, matches]);
  return { unread, setUnread };
}

type NotificationsProps = ComponentProps<typeof StaffNotifications>;

/** Loads the live notifications after the first view. */
function Notifications(props: NotificationsProps) {
  const [Live, setLive] = useState<ComponentType<NotificationsProps> | null>(null);
  useEffect(() => {
    let isMounted = true;
    import("~/features/console/StaffNotifications").then(
      (loaded) => isMounted && setLive(() => loaded.StaffNotifications),
      // The page works without them; the next page loads them again.
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, []);
  return Live && <Live {...props} />;
}

function isUndone(toast: object | null | undefined): toast is UndoResult {
  return toast !== null && toast !== undefined && "undo" in toast && toast.undo !== undefined;
}

function isLinked(toast: object | null | undefined): toast is LinkedResult {
  return toast !== null && toast !== undefined && "links" in toast && toast.links !== undefined;
}

type FrameProps = Omit<ComponentProps<typeof AdminShell>, "shopName" | "theme">;

function Frame({ children, firstName, role, unread, waiting, firstPage, path }: FrameProps) {
  const theme = useRouteLoaderData<typeof rootLoader>("root")?.theme ?? "system";
  const { name } = useSite();
  return (
    <>
      <AdminShell shopName={name} theme={theme} {...{ firstName, role, unread, waiting, firstPage, path }}>
        {children}
      </AdminShell>
      <ChatWidget clearOf={UNCOVERED} />
    </>
  );
}

/** Error pages inside the shell. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const known = useRouteLoaderData<typeof loader>("routes/admin");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const shell = known ?? UNKNOWN;
  return (
    <Frame {...shell} path={pathname}>
      <AdminFailure
        status={status}
        isLost={isConnectionLost(error)}
        retryUrl={pathname + search}
        firstPage={shell.firstPage}
      />
    </Frame>
  );
}
