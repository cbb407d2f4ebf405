import { isDay } from "~/domain/calendar-day";
import { localDay } from "~/domain/days";
import { BUSINESSES } from "~/domain/enums";
import { DOCUMENTS_PATH } from "~/features/sales/urls";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { type CurrentUser, isManaging } from "~/session/caller.server";
import { formatDateTime, formatTime } from "~/ui/format";
import { expectedCents } from "./drawer";
import { type CashRow, readDrawerPage as readPage } from "./queries.server";

/** Data of the drawer's page. */
export type DrawerPage = ResultOf<typeof readDrawer>;

const INVOICES = { to: "/admin/invoices-management", title: "Invoices" };
/** Section of sellers, who have no lines of the books. */
const SALES = { to: DOCUMENTS_PATH, title: "Sales" };

/** Leaves the expenses out for sellers, who count with their sum: each of them stands in the books. */
const shownTo = (user: CurrentUser, rows: CashRow[]) =>
  isManaging(user) ? rows : rows.filter(({ number }) => number !== "");

/** Reads the drawer of a business (`business`). */
export const readDrawer = operation({
  access: "staff",
  input: PageInput,
  async run({ input, db, now, settings, user }) {
    const { searchParams } = new URL(input.url);
    const business = BUSINESSES.find((one) => one === searchParams.get("business")) ?? "EMPORIA";
    const asked = searchParams.get("day");
    const today = localDay(now, settings.timezone);
    const askedDay = asked && isDay(asked) ? asked : null;
    const { drawer, rows, isCut, earlier } = await readPage(db, business, askedDay, today);
    const at = (seconds: number) => formatDateTime(seconds, settings.timezone);
    const last = earlier[0];
    const day = drawer?.day ?? askedDay ?? today;
    /** Time of what moved on the day itself; of what was dated back, the day too. */
    const moved = (seconds: number) =>
      localDay(seconds, settings.timezone) === day ? formatTime(seconds, settings.timezone) : at(seconds);
    return {
      form: "drawer" as const,
      heading: { title: "Drawer", trail: [isManaging(user) ? INVOICES : SALES] },
      business,
      businessNames: settings.businesses,
      // Idempotency key of the form: repeating its POST opens one drawer.
      id: crypto.randomUUID() as string,
      day,
      today,
      /** Tells whether the caller may open a closed drawer of today again. */
      mayReopen: isManaging(user),
      drawer: drawer
        ? {
            ...drawer,
            opened: at(drawer.openedAt),
            closed: drawer.closedAt === null ? null : at(drawer.closedAt),
            expected: expectedCents(drawer),
          }
        : null,
      rows: shownTo(user, rows).map((row) => ({ ...row, at: moved(row.createdAt) })),
      isCut,
      earlier: earlier.filter(({ id }) => id !== drawer?.id),
      /** Proposed for the next drawer. */
      floatCents: last?.floatCents ?? 0,
    };
  },
});
