import { type ChangeEvent, type ReactNode, useId } from "react";
import { grouped } from "~/domain/grouped";
import { Form, Link, useNavigate } from "~/ui/navigation";
import { Icon } from "../Icon";
import { defaultPageSize, type ListParams, listUrl, PAGE_SIZES, pageCount } from "./list-params";

interface PagerProps {
  params: ListParams;
  total: number;
}

/** Shows the position in the list and links to the other pages. */
export function Pager({ params, total }: PagerProps) {
  const { page, size } = params;
  const pages = pageCount(total, size);
  const from = total === 0 ? 0 : (page - 1) * size + 1;
  return (
    <nav className="pager" aria-label="Pages">
      <span role="status">
        Showing <b>{grouped(from)}</b> to <b>{grouped(Math.min(page * size, total))}</b> of{" "}
        <b>{grouped(total)}</b> results
      </span>
      {total > 0 && <Steps params={params} pages={pages} />}
    </nav>
  );
}

function Steps({ params, pages }: { params: ListParams; pages: number }) {
  const { page } = params;
  return (
    <>
      <RowsPerPage params={params} />
      <span className="nowrap">
        Page <b>{grouped(page)}</b> of <b>{grouped(pages)}</b>
      </span>
      <span className="button-row">
        <Step to={page > 1 ? listUrl(params, { page: page - 1 }) : null} rel="prev">
          <Icon name="chevron-left" className="i s" />
          Previous
        </Step>
        <Step to={page < pages ? listUrl(params, { page: page + 1 }) : null} rel="next">
          Next
          <Icon name="chevron-right" className="i s" />
        </Step>
      </span>
    </>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: "prev" | "next"; children: ReactNode }) {
  if (to === null)
    return (
      <button type="button" className="btn" disabled>
        {children}
      </button>
    );
  return (
    <Link className="btn" to={to} rel={rel} preventScrollReset>
      {children}
    </Link>
  );
}

function RowsPerPage({ params }: { params: ListParams }) {
  const navigate = useNavigate();
  const id = useId();
  const { size } = params;
  const sizes = [...new Set([...PAGE_SIZES, size])].sort((a, b) => a - b);
  const changeSize = ({ target }: ChangeEvent<HTMLSelectElement>) =>
    navigate(listUrl(params, { size: Number(target.value) }), { preventScrollReset: true });
  return (
    <Form method="get" action={params.path} className="mid" preventScrollReset>
      <HiddenParams params={params} except={["size"]} />
      <label htmlFor={id}>Rows per page</label>
      <select key={size} id={id} className="select" name="size" defaultValue={size} onChange={changeSize}>
        {sizes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <button type="submit" className="btn without-script">
        Go
      </button>
    </Form>
  );
}

/** Hidden fields that keep the other list parameters when a form is submitted. */
export function HiddenParams({ params, except }: { params: ListParams; except: string[] }) {
  const { q, sort, dir, size, filters, base } = params;
  const hasOwnSort = sort !== base.sort || dir !== base.dir;
  const values = {
    q,
    ...filters,
    ...(hasOwnSort && { sort, dir }),
    size: size === defaultPageSize(base) ? "" : String(size),
  };
  return Object.entries(values)
    .filter(([name, value]) => value !== "" && !except.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
