import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useSearchDelay } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { type CodeHit, hitName } from "./lookup";
import type { CodesPage } from "./page.server";
import { CODES_PATH, codeUrl } from "./paths";

/** Result of linking a code, for scripts. */
interface LinkAnswer {
  failure?: string | null;
}

interface CodePanelProps {
  code: string;
  format: string;
  onLinked: (unit: CodeHit) => void;
  next: () => void;
  nextLabel: string;
}

/** Asks what an unknown code is: a unit that gets it, a new product, or nothing. */
export function CodePanel({ code, format, onLinked, next, nextLabel }: CodePanelProps) {
  const search = useFetcher<CodesPage>();
  const linking = useLink(onLinked);
  const field = useRef<HTMLInputElement>(null);
  const { soon } = useSearchDelay(() => {
    const q = field.current?.value.trim() ?? "";
    search.load(`${codeUrl(code)}&${new URLSearchParams({ q })}`);
  });
  const found = search.data?.found ?? [];
  return (
    <div className="scan-result">
      <UnknownCode code={code} format={format} />
      {linking.failure && <p role="alert">{linking.failure}</p>}
      <div className="search">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          aria-label="Link to a product"
          placeholder="Link to a product"
          onInput={soon}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          autoComplete="off"
          maxLength={100}
        />
      </div>
      <HitList hits={found} take={(unit) => linking.link(unit, code)} label="Link" />
      <div className="scan-acts">
        <NewProduct code={code} />
        <button type="button" className="btn" onClick={next}>
          <Icon name="rotate-cw" className="i s" />
          {nextLabel}
        </button>
      </div>
    </div>
  );
}

/** Makes a code the barcode of a unit. */
function useLink(onLinked: (unit: CodeHit) => void) {
  const fetcher = useFetcher<LinkAnswer>();
  const sent = useRef<CodeHit | null>(null);
  const { data, state } = fetcher;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is taken once
  useEffect(() => {
    if (state !== "idle" || !data || data.failure || !sent.current) return;
    onLinked(sent.current);
    sent.current = null;
  }, [data, state]);
  const link = (unit: CodeHit, barcode: string) => {
    sent.current = { ...unit, barcode };
    const fields = { intent: "link", unitId: unit.unitId, barcode, was: unit.barcode, quietly: "1" };
    fetcher.submit(fields, { method: "post", action: CODES_PATH });
  };
  return { link, failure: data?.failure ?? null };
}

export function UnknownCode({ code, format }: { code: string; format: string }) {
  return (
    <>
      <p className="scan-code">
        <span className="unknown-code">
          <Icon name="circle-alert" className="i s" />
          Unknown code
        </span>
        <span className="code">{code}</span>
        {format && <span className="soft">{format}</span>}
      </p>
      <p>No product has this code. What is it?</p>
    </>
  );
}

/** Leads to a new product, whose barcode the code becomes. */
export function NewProduct({ code }: { code: string }) {
  return (
    <Link
      className="btn"
      to={`/admin/products-management?${new URLSearchParams({ dialog: "new", barcode: code })}`}
    >
      <Icon name="plus" className="i s" />
      New product with it
    </Link>
  );
}

interface HitListProps {
  hits: CodeHit[];
  take: (unit: CodeHit) => void;
  /** Word of the button. */
  label: string;
}

/** Units to choose from. */
export function HitList({ hits, take, label }: HitListProps) {
  if (hits.length === 0) return null;
  return (
    <ul className="scan-hits">
      {hits.map((hit) => (
        <li key={hit.unitId}>
          <button type="button" onClick={() => take(hit)}>
            <HitText hit={hit} />
            <span className="act">
              {label === "Link" && <Icon name="link-2" className="i s" />}
              {hit.barcode && label === "Link" ? "Replace" : label}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function HitText({ hit }: { hit: CodeHit }) {
  const { name, choice, sku, stock, barcode, image } = hit;
  const facts = [choice, sku, barcode, `${stock.toLocaleString("en")} in stock`].filter(Boolean);
  return (
    <>
      <span className="product-thumbnail" aria-hidden="true">
        <Picture image={image || null} alt="" sizes="40px" width={40} />
      </span>
      <span className="grow" title={hitName(hit)}>
        <b>{name}</b>
        <small>{facts.join(", ")}</small>
      </span>
    </>
  );
}
