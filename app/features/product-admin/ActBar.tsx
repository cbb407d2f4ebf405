import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { grouped } from "~/domain/grouped";
import { localTo } from "~/domain/local-to";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { rowKeyAttribute } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import { ACTS, MAX_ACT_PRODUCTS } from "./acts";

/** Form of the ticks, which stand in the rows of the table. */
const FORM = "acts";

export type Picks = ReturnType<typeof usePicks>;

/** Keeps the ticked products, also while other pages of the list are shown; those ticked before the script ran count. */
export function usePicks() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const boxes = document.querySelectorAll<HTMLInputElement>(`input[name="pick"][form="${FORM}"]:checked`);
    if (boxes.length > 0) setIds(new Set([...boxes].map(({ value }) => value)));
  }, []);
  const set = (changed: string[], isPicked: boolean) => {
    const next = new Set(ids);
    for (const id of changed) isPicked ? next.add(id) : next.delete(id);
    setIds(next);
  };
  return { ids, set, clear: () => setIds(new Set()) };
}

interface ProductTickProps {
  id: string;
  name: string;
  picks: Picks;
  /** Picture of the product, which ticks it too. */
  children: ReactNode;
}

/** Tick of a row. Without JavaScript it belongs to the form alone. */
export function ProductTick({ id, name, picks, children }: ProductTickProps) {
  return (
    <label className="product-pick">
      <input
        type="checkbox"
        name="pick"
        value={id}
        form={FORM}
        aria-label={`Select ${name}`}
        checked={picks.ids.has(id)}
        onChange={({ currentTarget }) => picks.set([id], currentTarget.checked)}
        {...rowKeyAttribute("x")}
      />
      {children}
    </label>
  );
}

export interface ActBarProps {
  params: ListParams;
  /** Products of the page. */
  shown: string[];
  /** Products that match. */
  total: number;
  picks: Picks;
}

/** Acts that can be done with the ticked products, or with all that match. */
export function ActBar({ params, shown, total, picks }: ActBarProps) {
  const others = [...picks.ids].filter((id) => !shown.includes(id));
  return (
    <Form
      id={FORM}
      method="post"
      action={listUrl(params)}
      onSubmit={download}
      preventScrollReset
      className="act-bar"
      aria-label="Acts on the selected products"
    >
      <input type="hidden" name="intent" value="act" />
      <input type="hidden" name="q" value={params.q} />
      <input type="hidden" name="category" value={params.filters.category ?? ""} />
      {others.map((id) => (
        <input key={id} type="hidden" name="pick" value={id} />
      ))}
      <PageTick shown={shown} picks={picks} />
      <label className="check">
        <input type="checkbox" name="all" value="1" disabled={total > MAX_ACT_PRODUCTS} />
        <span>{`All ${grouped(total)} that match`}</span>
      </label>
      <ActButtons />
      {picks.ids.size > 0 && (
        <button type="button" className="btn quiet" onClick={picks.clear}>
          Clear
        </button>
      )}
    </Form>
  );
}

/** Leaves a button that gets a file to the browser. */
function download(event: FormEvent<HTMLFormElement>): void {
  const { submitter } = event.nativeEvent as SubmitEvent;
  const to = submitter?.getAttribute("formaction");
  if (!to) return;
  event.preventDefault();
  const fields = new FormData(event.currentTarget);
  location.assign(localTo(`${to}?${new URLSearchParams(fields as unknown as URLSearchParams)}`));
}

/** Tick of all products of the page, with the number of those that are ticked. */
function PageTick({ shown, picks: { ids, set } }: Pick<ActBarProps, "shown" | "picks">) {
  return (
    <label className="check needs-script">
      <input
        type="checkbox"
        checked={shown.length > 0 && shown.every((id) => ids.has(id))}
        onChange={({ currentTarget }) => set(shown, currentTarget.checked)}
      />
      <span>
        <b aria-live="polite">{`${grouped(ids.size)} selected`}</b>
        <span className="visually-hidden">, select all on this page</span>
      </span>
    </label>
  );
}

const ActButtons = () => (
  <span className="act-buttons">
    {Object.entries(ACTS).map(([act, { label, icon, to, isDangerous }]) => (
      <button
        key={act}
        type="submit"
        className={isDangerous ? "btn quiet danger-text" : "btn"}
        {...(to ? { formAction: to, formMethod: "get" } : { name: "act", value: act })}
      >
        <Icon name={icon} className="i s" />
        {label}
      </button>
    ))}
  </span>
);
