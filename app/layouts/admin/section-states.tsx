import { useNavigation } from "@remix-run/react";
import type { BusinessNames } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { CHARTS } from "~/features/analytics/charts";
import { Dashboard } from "~/features/dashboard/Dashboard";
import { LOADING } from "~/features/dashboard/figures";
import { useDelayedPending } from "~/ui/delayed-pending";
import { ErrorReference } from "~/ui/failure-parts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { type SectionPath, sectionAt } from "./sections";
import { TABLES, type TablePath, type TableSize } from "./table-sizes";

/** Loading time after which a skeleton appears, ms. */
const SKELETON_DELAY = 200;

/**
 * Returns the path of a section that has been loading long enough for a skeleton.
 *
 * @param from path of the displayed page
 */
export function useSlowSection(from: string): SectionPath | null {
  const { state, location } = useNavigation();
  const to = state === "loading" ? sectionAt(location.pathname)?.path : undefined;
  return useDelayedPending(to && to !== sectionAt(from)?.path ? to : null, SKELETON_DELAY);
}

interface SectionSkeletonProps {
  path: SectionPath;
  businessNames: BusinessNames;
  /** Numbers of columns of the tables. */
  columns: Record<TablePath, number>;
}

export function SectionSkeleton({ path, businessNames, columns }: SectionSkeletonProps) {
  return (
    <div className="content-soon" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading...
      </p>
      {path === "/admin" && <Dashboard page={LOADING} businessNames={businessNames} />}
      {path === "/admin/graphs" && <AnalyticsSkeleton />}
      {path === "/admin/chat" && (
        <div className="section-loading">
          <span className="spinner" aria-hidden="true" />
        </div>
      )}
      {hasTable(path) && <TableSkeleton columns={columns[path]} {...TABLES[path]} />}
    </div>
  );
}

const hasTable = (path: SectionPath): path is TablePath => path in TABLES;

/** Places of the first cells in the card of a row on phones. */
const CARD = ["card-title", "card-side", "card-meta", "card-end"];

/** Reserves the space of the search field, the rows and the pager of a list while it loads. */
function TableSkeleton({ columns, rows, maxHeight }: TableSize & { columns: number }) {
  const cells = Array.from({ length: columns }, (_, index) => index);
  return (
    <div className="table-soon" aria-hidden="true">
      <div className="toolbar">
        <span className="input search" />
      </div>
      <section className="panel data-table">
        <div className={`table-scroll max-${maxHeight}`}>
          <table className="data-grid">
            <thead className="skeleton-rows">
              <tr>
                {cells.map((cell) => (
                  <td key={cell} />
                ))}
              </tr>
            </thead>
            <tbody className="skeleton-rows">
              {Array.from({ length: rows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
                <tr key={row}>
                  {cells.map((cell) => (
                    <td key={cell} className={CARD[cell]} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className="pager" />
      </section>
    </div>
  );
}

/** Reserves the space of the charts while they load. */
function AnalyticsSkeleton() {
  return (
    <>
      <div className="year-switch soon" />
      <section className="charts" aria-label="Charts">
        {CHARTS.map(({ title }) => (
          <article key={title} className="panel chart">
            <header>
              <h2>{title}</h2>
            </header>
            <div className="chart-plot">
              <span className="wait spinner" aria-hidden="true" />
            </div>
            <div className="fold-soon" />
          </article>
        ))}
      </section>
    </>
  );
}

interface AdminFailureProps {
  /** 404 for an unknown page, 403 for one that the role may not open; any other is an error. */
  status: number;
  /** True for a network failure. */
  isLost: boolean;
  retryUrl: string;
  /** Page with which the back office opens for the user. */
  firstPage: string;
}

export function AdminFailure(props: AdminFailureProps) {
  const { status, retryUrl, firstPage } = props;
  const { title, text } = failureText(props);
  const isError = status !== 404 && status !== 403;
  return (
    <section className="panel empty-state">
      <span className="empty-state-icon">
        <Icon name="circle-alert" />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {isError && <ErrorReference />}
      <div className="button-row">
        {isError && (
          <a className="btn primary" href={localTo(retryUrl)}>
            Try Again
          </a>
        )}
        <Link className="btn" to={firstPage}>
          {sectionAt(firstPage)?.title}
        </Link>
      </div>
    </section>
  );
}

function failureText({ status, isLost }: AdminFailureProps): { title: string; text: string } {
  if (status === 403) return { title: "Not allowed", text: "Your role can't open this page. Ask an admin." };
  if (status === 404 || status === 400)
    return { title: "Page Not Found", text: "There is no such page in the back office." };
  if (isLost) return { title: "This page could not be loaded", text: "The connection seems to be gone." };
  return { title: "Internal Server Error", text: "Something went wrong on our end." };
}
