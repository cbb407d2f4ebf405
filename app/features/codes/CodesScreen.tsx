import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { HitText, NewProduct, UnknownCode } from "./CodePanel";
import type { CodeHit } from "./lookup";
import type { CodesPage } from "./page.server";
import { CODES_PATH } from "./paths";

interface CodesScreenProps {
  page: CodesPage;
  /** Answer of a refused form. */
  refused: { failure: string | null } | undefined;
}

/** Page of a code, which needs no JavaScript: its units, or what it may belong to. */
export function CodesScreen({ page, refused }: CodesScreenProps) {
  const { code, problem, hits, back } = page;
  return (
    <section className="panel code-page" aria-labelledby="code-title">
      <header>
        <h2 id="code-title">{code ? `Code ${code}` : "Find a code"}</h2>
      </header>
      <StatusRegion message={refused?.failure ?? null} answer={refused ?? page} />
      <div className="scan-result">
        <Form method="get" action={CODES_PATH} className="scan-typed">
          <input
            className="input"
            name="code"
            aria-label="Code"
            placeholder="Barcode or SKU"
            defaultValue={code}
          />
          <input type="hidden" name="back" value={back} />
          <button type="submit" className="btn">
            Find
          </button>
        </Form>
        {problem && <p role="alert">{problem}</p>}
        {hits.length > 0 && <Hits hits={hits} />}
        {code && !problem && hits.length === 0 && <Unknown page={page} />}
        <Link className="link" to={back}>
          Back
        </Link>
      </div>
    </section>
  );
}

function Hits({ hits }: { hits: CodeHit[] }) {
  return (
    <ul className="scan-hits">
      {hits.map((hit) => (
        <li key={hit.unitId}>
          <Link to={`/admin/products-management?${new URLSearchParams({ edit: hit.productId })}`}>
            <HitText hit={hit} />
            <span className="act">Open</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Unknown({ page: { code, q, found, back } }: { page: CodesPage }) {
  return (
    <>
      <UnknownCode code={code} format="" />
      <Form method="get" action={CODES_PATH} className="scan-typed" role="search">
        <input type="hidden" name="code" value={code} />
        <input type="hidden" name="back" value={back} />
        <input
          className="input"
          type="search"
          name="q"
          aria-label="Link to a product"
          placeholder="Link to a product"
          defaultValue={q}
        />
        <button type="submit" className="btn">
          <Icon name="search" className="i s" />
          Search
        </button>
      </Form>
      {q && found.length === 0 && <p>{`No products match “${q}”.`}</p>}
      <ul className="scan-hits">
        {found.map((hit) => (
          <li key={hit.unitId}>
            <LinkForm hit={hit} code={code} />
          </li>
        ))}
      </ul>
      <div className="scan-acts">
        <NewProduct code={code} />
      </div>
    </>
  );
}

/** Gives a unit a code in place of the one that it has. */
const LinkForm = ({ hit, code }: { hit: CodeHit; code: string }) => (
  <Form method="post" action={CODES_PATH}>
    <input type="hidden" name="unitId" value={hit.unitId} />
    <input type="hidden" name="barcode" value={code} />
    <input type="hidden" name="was" value={hit.barcode} />
    <button type="submit" name="intent" value="link">
      <HitText hit={hit} />
      <span className="act">{hit.barcode ? "Replace" : "Link"}</span>
    </button>
  </Form>
);
