import { Link, useActionData } from "@remix-run/react";
import { useMemo } from "react";
import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import { BulkUpload } from "~/features/product-import/BulkUpload";
import type { SelectFilter } from "~/ui/DataTable/filters";
import { ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import { ConfirmDialog } from "~/ui/modal";
import { StatusRegion } from "~/ui/Toasts";
import type { FormFailure } from "~/ui/useCheckedForm";
import { productColumns } from "./columns";
import { BULK_UPLOAD } from "./list-params";
import { ProductDialog } from "./ProductDialog";
import type { ProductsScreenData } from "./page.server";
import { ViewDialog } from "./ViewDialog";

const FILTERS: SelectFilter[] = [
  {
    name: "category",
    label: "Category",
    allLabel: "All categories",
    options: CATEGORIES.map((value) => ({ value, label: categoryName(value) })),
  },
];

/** Products screen: the list with its dialogs, or the bulk upload. */
export function ProductsScreen({ data }: { data: ProductsScreenData }) {
  const refused = useActionData<FormFailure>();
  if (data.bulk) return <BulkUpload {...data.bulk} params={data.params} refused={refused} />;
  return (
    <>
      <StatusRegion message={data.failure} answer={data} />
      <ProductList data={data} />
      <OpenDialog data={data} />
    </>
  );
}

function ProductList({ data: { params, rows, total, failure } }: { data: ProductsScreenData }) {
  const columns = useMemo(() => productColumns(params), [params]);
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  const addButton = (
    <ListAction to={add}>
      <Icon name="plus" className="i s" />
      Add Product
    </ListAction>
  );
  return (
    <ListScreen
      label="Products"
      search="Search products"
      filters={FILTERS}
      csv={csvUrl(params)}
      hasClear
      actions={
        <>
          <Link className="btn" to={listUrl(params, {}, { kind: "dialog", id: BULK_UPLOAD })}>
            <Icon name="upload" className="i s" />
            Bulk Upload
          </Link>
          {addButton}
        </>
      }
      className="product-table"
      frame={520}
      params={params}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      failure={failure}
      empty={{ icon: "package-plus", children: <EmptyList addButton={addButton} params={params} /> }}
    />
  );
}

function EmptyList({ addButton, params }: { addButton: React.ReactNode; params: ListParams }) {
  return (
    <>
      <p>Add the first product, or import a catalogue by Bulk Upload.</p>
      <div className="button-row">
        {addButton}
        <Link className="btn" to={listUrl(params, {}, { kind: "dialog", id: BULK_UPLOAD })}>
          Bulk Upload
        </Link>
      </div>
    </>
  );
}

function OpenDialog({ data }: { data: ProductsScreenData }) {
  const { params, dialog, target, newId } = data;
  const common = useDialog(params);
  const { back, refused } = common;
  if (dialog?.kind === "dialog" && dialog.id === "new")
    return <ProductDialog key="new" product={null} newId={newId} {...common} />;
  if (dialog?.kind === "edit" && target)
    return <ProductDialog key={target.id} product={target} newId={newId} {...common} />;
  if (dialog?.kind === "view" && target)
    return (
      <ViewDialog
        product={target}
        back={back}
        editUrl={listUrl(params, {}, { kind: "edit", id: target.id })}
      />
    );
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
