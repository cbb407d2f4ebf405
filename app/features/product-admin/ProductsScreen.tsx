import { useActionData } from "@remix-run/react";
import { type ReactNode, useMemo } from "react";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { localTo } from "~/domain/local-to";
import { HiddenTag } from "~/features/catalogue/HiddenTag";
import { PRODUCT } from "~/features/catalogue/product";
import { labelsUrl } from "~/features/codes/paths";
import { useCodeSearch } from "~/features/codes/useCodeSearch";
import { ImportScreen } from "~/features/product-import/ImportScreen";
import { IMPORT_DIALOG, type PlanPage } from "~/features/product-import/plan";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import type { SelectFilter } from "~/ui/DataTable/filters";
import { ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { CancelLink, DialogHead, useModal } from "~/ui/dialog-parts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { StatusRegion } from "~/ui/StatusRegion";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ActBar, type ActBarProps, usePicks } from "./ActBar";
import { ActDone, ActScreen } from "./ActScreen";
import type { ActPage } from "./acts/forms.server";
import { productColumns } from "./columns";
import { holdsUrl, type ProductDetail, productOf } from "./list-params";
import { ProductDialog } from "./ProductDialog";
import type { ProductsScreenData } from "./page.server";

const FILTERS: SelectFilter[] = [
  {
    name: "category",
    label: "Category",
    allLabel: "All categories",
    options: CATEGORIES.map((value) => ({ value, label: categoryName(value) })),
  },
];

/** Products screen: the list with its dialogs, or the product import. */
export function ProductsScreen({ data }: { data: ProductsScreenData }) {
  const answer = useActionData<RefusedForm & { page?: PlanPage | { acting: ActPage } }>();
  const refused = answer?.page ? undefined : answer;
  const planned = answer?.page && !("acting" in answer.page) ? answer.page : null;
  if (answer?.page && "acting" in answer.page)
    return <ActScreen page={answer.page.acting} params={data.params} failure={answer.failure ?? null} />;
  if (data.productImport)
    return <ImportScreen {...data.productImport} params={data.params} refused={refused} planned={planned} />;
  return (
    <>
      <StatusRegion message={data.failure} answer={data} />
      <ProductList data={data} />
      <OpenDialog data={data} />
    </>
  );
}

function ProductList({ data: { params, rows, total, failure, acted } }: { data: ProductsScreenData }) {
  const picks = usePicks();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other parts of the ticks are new with each rendering
  const columns = useMemo(() => productColumns(params, picks), [params, picks.ids]);
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  const shown = (rows ?? []).map(({ id }) => id);
  const codes = useCodeSearch(productOf);
  const addButton = (
    <ListAction to={add}>
      <Icon name="plus" className="i s" />
      Add Product
    </ListAction>
  );
  return (
    <ListScreen
      label="Products"
      search="Search products, SKU, barcode"
      {...codes}
      filters={FILTERS}
      csv={csvUrl(params)}
      hasClear
      actions={<ListActions params={params}>{addButton}</ListActions>}
      className="product-table"
      maxHeight={520}
      params={params}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      failure={failure}
      note={<Acts acted={acted} {...{ params, total, picks, shown }} />}
      empty={{ icon: "package-plus", children: <EmptyList addButton={addButton} params={params} /> }}
    />
  );
}

/** Result of the last act, and the bar of acts. */
const Acts = ({ acted, ...bar }: ActBarProps & Pick<ProductsScreenData, "acted">) => (
  <>
    {acted && <ActDone result={acted} />}
    {bar.total > 0 && <ActBar {...bar} />}
  </>
);

interface ListActionsProps {
  params: ListParams;
  children: ReactNode;
}

const ListActions = ({ params, children }: ListActionsProps) => (
  <>
    <Link className="btn" to={listUrl(params, {}, { kind: "dialog", id: IMPORT_DIALOG })}>
      <Icon name="upload" className="i s" />
      Bulk Upload
    </Link>
    {children}
  </>
);

function EmptyList({ addButton, params }: { addButton: ReactNode; params: ListParams }) {
  return (
    <>
      <p>Add the first product, or import a catalogue by Bulk Upload.</p>
      <div className="button-row">
        {addButton}
        <Link className="btn" to={listUrl(params, {}, { kind: "dialog", id: IMPORT_DIALOG })}>
          Bulk Upload
        </Link>
      </div>
    </>
  );
}

function OpenDialog({ data }: { data: ProductsScreenData }) {
  const { params, dialog, target, changes, blank } = data;
  const { refused: answer, ...others } = useDialog(params);
  const refused = useMemo(() => redrawn(answer), [answer]);
  const common = { ...others, refused };
  const { back } = common;
  if (dialog?.kind === "dialog" && dialog.id === "new")
    return <ProductDialog key="new" product={null} blank={blank} changes={changes} {...common} />;
  if (dialog?.kind === "edit" && target)
    return <ProductDialog key={target.id} product={target} blank={blank} changes={changes} {...common} />;
  if (dialog?.kind === "view" && target)
    return (
      <ViewDialog
        product={target}
        back={back}
        editUrl={listUrl(params, {}, { kind: "edit", id: target.id })}
      />
    );
  if (dialog?.kind === "delete" && target?.heldBy)
    return <HeldDialog id={target.id} name={target.name} heldBy={target.heldBy} back={back} />;
  if (dialog?.kind === "delete" && target)
    return (
      <ConfirmDialog
        title="Confirm Delete"
        message={`Are you sure you want to delete “${target.name}”? This action cannot be undone.`}
        intent="delete"
        fields={{ id: target.id }}
        back={back}
      />
    );
  const isGone = dialog !== null && dialog.kind !== "dialog";
  return (
    <StatusRegion
      message={refused?.failure ?? (isGone ? "Product not found" : null)}
      answer={refused ?? data}
    />
  );
}

/** Answer to a form whose options or units were changed before it is saved. */
type Redrawn = RefusedForm & {
  page?: { product?: NonNullable<RefusedForm["lastResult"]["initialValue"]> };
};

/** Returns a refused form, or one that is drawn again with what was typed. */
function redrawn(answer: Redrawn | undefined): RefusedForm | undefined {
  const values = answer?.page?.product;
  return values ? { lastResult: { initialValue: values }, failure: null } : answer;
}

interface HeldDialogProps extends Pick<ProductDetail, "id" | "name"> {
  heldBy: string;
  back: string;
}

/** Dialog in place of the question before a deletion: a product on hold stays. */
function HeldDialog({ id, name, heldBy, back }: HeldDialogProps) {
  return (
    <dialog
      {...useModal({ back })}
      open
      className="dialog confirm-dialog"
      aria-labelledby="held-title"
      aria-describedby="held-message"
    >
      <header>
        <h2 id="held-title">Can’t be deleted now</h2>
      </header>
      <p id="held-message">{`“${name}” is on hold for ${heldBy}. Release what is on hold first.`}</p>
      <footer>
        <CancelLink back={back} isBusy={false} label="Close" />
        <Link className="btn primary" to={holdsUrl(id)}>
          See its holds
        </Link>
      </footer>
    </dialog>
  );
}

interface ViewDialogProps {
  product: ProductDetail;
  back: string;
  editUrl: string;
}

function ViewDialog({ product, back, editUrl }: ViewDialogProps) {
  return (
    <dialog {...useModal({ back })} open className="dialog form-dialog" aria-labelledby="dialog-title">
      <DialogHead title="Product Details" back={back} />
      <div className="details">
        <Pictures product={product} />
        <Details product={product} />
      </div>
      <footer>
        <Link className="btn" to={back} replace preventScrollReset>
          Close
        </Link>
        <Link className="btn" to={labelsUrl([product.id])}>
          <Icon name="printer" className="i s" />
          Labels
        </Link>
        <Link className="btn primary" to={editUrl} replace preventScrollReset>
          <Icon name="pencil" className="i s" />
          Edit
        </Link>
      </footer>
    </dialog>
  );
}

function Pictures({ product: { name, imageUrls } }: { product: ProductDetail }) {
  return (
    <ul className="product-pictures" aria-label="Images">
      {imageUrls.length === 0 && <li className="soft">No image yet</li>}
      {imageUrls.map((url, index) => (
        <li key={url}>
          <Picture image={url} alt={`${name}, image ${index + 1}`} sizes="140px" width={160} />
        </li>
      ))}
    </ul>
  );
}

/** Columns that the dialog shows in a way of their own. */
const SPECIAL_COLUMNS = ["name", "description", "imageUrls", "plates"];
/** Columns that the dialog shows as a label and a text. */
const FACTS = PRODUCT.columns.filter(({ column }) => !SPECIAL_COLUMNS.includes(column));

function Details({ product }: { product: ProductDetail }) {
  const { id, name, description, isHidden } = product;
  return (
    <dl className="product-facts">
      <div className="whole">
        <dt>Name</dt>
        <dd>
          {isHidden ? name : <a href={localTo(`/products/${id}`)}>{name}</a>}
          {isHidden && <HiddenTag />}
        </dd>
      </div>
      {FACTS.map(({ column, field }) => (
        <div key={column}>
          <dt>{field.label}</dt>
          <dd className={column === "category" ? `category-badge ${product.category}` : undefined}>
            {field.toText(product[column as keyof ProductDetail]) || <span className="soft">None</span>}
          </dd>
        </div>
      ))}
      <div className="whole">
        <dt>Description</dt>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when written and again when it was read */}
        <dd className="rich-text" dangerouslySetInnerHTML={{ __html: description || "<p>None</p>" }} />
      </div>
    </dl>
  );
}
