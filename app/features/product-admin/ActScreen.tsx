import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { CURRENCY_SIGN } from "~/domain/currency";
import { grouped } from "~/domain/grouped";
import { ROUNDINGS } from "~/domain/price-change";
import { runPath, undoPath } from "~/features/product-runs/runs";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { Field, Segments, SelectField } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { ACTS, type ActChange, type ActLeft, type ActName, actSentence, type UnitActChange } from "./acts";
import type { ActPage } from "./acts/forms.server";
import type { ActResult } from "./operations/acts.server";

/** Products of a preview that are listed. */
const MAX_LISTED = 500;

/** Page of an act: what it is set to, and what it would change. */
export function ActScreen({
  page,
  params,
  failure,
}: {
  page: ActPage;
  params: ListParams;
  failure: string | null;
}) {
  const { act, was, request, preview } = page;
  const count = Object.keys(was).length;
  const needsSettings = act === "price" || act === "category";
  return (
    <Form
      method="post"
      action={listUrl(params)}
      preventScrollReset
      className="panel act-page"
      aria-labelledby="act-title"
    >
      <StatusRegion message={failure} answer={page} />
      <input type="hidden" name="intent" value="act" />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="request" value={request} />
      <input type="hidden" name="was" value={JSON.stringify(was)} />
      <h2 id="act-title">
        <Icon name={ACTS[act].icon} /> {actSentence(act, count, false)}
      </h2>
      {needsSettings && <Settings page={page} />}
      {preview && <Left left={preview.left} title="Stay as they are" />}
      {preview && <Preview changes={preview.products} />}
      {preview && preview.unchanged > 0 && <p className="soft">{unchangedNote(preview.unchanged)}</p>}
      <Buttons act={act} preview={preview} needsSettings={needsSettings} cancel={listUrl(params)} />
    </Form>
  );
}

interface ButtonsProps {
  act: ActName;
  preview: ActResult | null;
  needsSettings: boolean;
  /** URL of the list. */
  cancel: string;
}

function Buttons({ act, preview, needsSettings, cancel }: ButtonsProps) {
  return (
    <div className="button-row">
      <Link className="btn" to={cancel}>
        Cancel
      </Link>
      {needsSettings && (
        <button type="submit" className="btn" name="step" value="preview">
          Preview
        </button>
      )}
      {preview && preview.changed > 0 && (
        <button
          type="submit"
          className={ACTS[act].isDangerous ? "btn danger" : "btn primary"}
          name="step"
          value="apply"
        >
          {actSentence(act, preview.changed, false)}
        </button>
      )}
    </div>
  );
}

const unchangedNote = (count: number) => `${grouped(count)} ${count === 1 ? "is" : "are"} so already.`;

function Settings({ page }: { page: ActPage }) {
  return (
    <div className="act-settings">
      {page.act === "category" ? <CategorySettings page={page} /> : <PriceSettings page={page} />}
    </div>
  );
}

const CategorySettings = ({ page: { settings, problems } }: { page: ActPage }) => (
  <SelectField
    id="act-to"
    name="to"
    label="Category"
    defaultValue={settings.to}
    error={problems.to}
    options={[
      { value: "", label: "Choose one" },
      ...CATEGORIES.map((value) => ({ value, label: categoryName(value) })),
    ]}
  />
);

const UNIT_OPTIONS = [
  { value: "percent", label: "%" },
  { value: "amount", label: CURRENCY_SIGN },
];

const PriceSettings = ({ page: { settings, problems } }: { page: ActPage }) => (
  <>
    <Field
      id="act-by"
      name="by"
      label="Change by"
      placeholder="+5 or -2.50"
      autoComplete="off"
      defaultValue={settings.by}
      error={problems.by}
    />
    <Segments id="act-unit" name="unit" legend="In" defaultValue={settings.unit} options={UNIT_OPTIONS} />
    <Segments
      id="act-round"
      name="round"
      legend="Round to the nearest"
      defaultValue={settings.round}
      options={Object.keys(ROUNDINGS).map((value) => ({ value, label: value }))}
    />
  </>
);

function Preview({ changes }: { changes: ActChange[] }) {
  if (changes.length === 0) return <p>Nothing would change.</p>;
  const hasPercent = changes.some(({ percent }) => percent !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll max-520" tabIndex={0} aria-label="Changes, scrolls">
      <table className="data-grid act-changes">
        <thead>
          <tr>
            <th scope="col">Name</th>
            {hasPercent && <th scope="col">Change</th>}
            <th scope="col">{hasPercent ? "Price" : "Becomes"}</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, MAX_LISTED).map((change) => (
            <ChangeRow key={change.id} change={change} />
          ))}
        </tbody>
      </table>
      {changes.length > MAX_LISTED && (
        <p className="soft">{`And ${grouped(changes.length - MAX_LISTED)} more.`}</p>
      )}
    </section>
  );
}

const ChangeRow = ({ change: { units, ...product } }: { change: ActChange }) => (
  <>
    <PriceRow change={product} />
    {units.map((unit) => (
      <PriceRow key={unit.id} change={unit} className="act-unit" />
    ))}
  </>
);

const PriceRow = ({ change, className }: { change: UnitActChange; className?: string }) => (
  <tr className={className}>
    <td className="act-name">{change.name}</td>
    {change.percent !== null && <td className="soft">{change.percent}</td>}
    <td>
      <del>{change.before}</del> <Icon name="arrow-right" label="becomes" /> <ins>{change.after}</ins>
    </td>
  </tr>
);

function Left({ left, title }: { left: ActLeft[]; title: string }) {
  if (left.length === 0) return null;
  return (
    <div className="act-left" role="note">
      <b>{`${title}: ${grouped(left.length)}`}</b>
      <ul>
        {left.map(({ id, name, reason }) => (
          <li key={id}>
            <b>{name}</b>: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says above the list what an act has done, and what it has left. */
export function ActDone({ result: { id, message, changed, left, unchanged } }: { result: ActResult }) {
  return (
    <div className="act-done" role="status">
      <p>
        <Icon name="check" className="i s" /> {message}
        {unchanged > 0 && `. ${unchangedNote(unchanged)}`}
        {id && changed > 0 && (
          <>
            {" "}
            <Link className="link" to={undoPath(id)}>
              Undo
            </Link>{" "}
            <Link className="link" to={runPath(id)}>
              What it did
            </Link>
          </>
        )}
      </p>
      <Left left={left} title="Left as they are" />
    </div>
  );
}
