import { Check, CircleAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Field } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import type { Refused } from "~/ui/refused";
import { SelectField } from "~/ui/SelectField";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
import { CATEGORIES, categoryName } from "../categories";
import { ColorField } from "./ColorField";
import { ProductFields } from "./form-schema";
import { ImageField } from "./ImageField";
import { RichText } from "./RichText";
import { useImages } from "./useImages";
import { type SaveState, STEPS, useProductSave } from "./useProductSave";
import { useUnsaved } from "./useUnsaved";
import type { ProductDetail } from "./views";

interface ProductDialogProps {
  /** The product that is changed; null when one is added. */
  product: ProductDetail | null;
  back: string;
  action: string;
  refused: Refused | undefined;
}

const FORM = "product";
const MULTIPART = "multipart/form-data";
const CATEGORY_OPTIONS = CATEGORIES.map((value) => ({ value, label: categoryName(value) }));

/** Add Product, Edit Product (back office 2 and 4). */
export function ProductDialog(props: ProductDialogProps) {
  const { product, back, action, refused } = props;
  useFailureToast(refused);
  const { form, colors, setColors, images, state, isKept, onSubmit, unsaved } = useProductForm(props);
  const said = refused?.lastResult.error ?? {};
  const progress = state.step !== null && <Progress state={state} isNew={!product} />;
  return (
    <FormDialog
      title={product ? "Edit Product" : "Add Product"}
      intent={product ? "update" : "create"}
      submit={isKept ? "Try again" : product ? "Update Product" : "Add Product"}
      isDisabled={state.isBusy}
      problem={state.problem ?? form.problem ?? refused?.failure}
      answer={refused}
      form={{ ...form.props, onInput: unsaved.onInput(form.props.onInput), onSubmit, encType: MULTIPART }}
      back={back}
      action={action}
      progress={unsaved.question ?? (progress || undefined)}
    >
      {product && <input type="hidden" name="id" value={product.id} />}
      {product && <input type="hidden" name="was" value={wasOf(product, refused)} />}
      <TypedFields form={form} />
      <div className="c6">
        <ColorField
          colors={colors}
          onChange={setColors}
          error={said.colors?.[0]}
          typed={typedText(refused, "addColors")}
        />
      </div>
      <div className="c6">
        <ImageField
          images={images}
          error={state.imageProblem ?? said.imageUrls?.[0] ?? said.files?.[0]}
          typed={typedText(refused, "addImages")}
        />
      </div>
    </FormDialog>
  );
}

/** What the form holds, how far its saving is, and whether it may be left. */
function useProductForm({ product, back, refused }: ProductDialogProps) {
  const values = valuesOf(product);
  const form = useCheckedForm({ id: FORM, schema: ProductFields, lastResult: refused?.lastResult, values });
  const [colors, setColors] = useState(() => keptList(refused, "colors") ?? product?.colors ?? []);
  const images = useImages(keptList(refused, "imageUrls") ?? product?.imageUrls ?? []);
  const [begun] = useState({ colors, tiles: images.tiles });
  const unsaved = useUnsaved(FORM, colors !== begun.colors || images.tiles !== begun.tiles);
  const saving = { known: product?.id ?? null, begun: formOf(product), images, back, done: unsaved.done };
  const { state, isKept, check, run } = useProductSave(saving);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    form.props.onSubmit(event);
    if (event.defaultPrevented) return check();
    event.preventDefault();
    void run(event.currentTarget, colors);
  };
  return { form, colors, setColors, images, state, isKept, onSubmit, unsaved };
}

function valuesOf(product: ProductDetail | null) {
  if (!product) return { name: "", description: "", price: "", stock: "0", category: "PHONE_CASE" };
  const { name, descriptionHtml, priceCents, stock, category } = product;
  return {
    name,
    description: descriptionHtml,
    price: (priceCents / 100).toFixed(2),
    stock: String(stock),
    category,
  };
}

/** All that the form holds of a product before anybody changes it. */
function formOf(product: ProductDetail | null) {
  return { ...valuesOf(product), colors: product?.colors ?? [], imageUrls: product?.imageUrls ?? [] };
}

/** The same for a form that is sent without a script; one that was refused has begun with what it first held. */
function wasOf(product: ProductDetail, refused: Refused | undefined): string {
  return typedText(refused, "was") ?? JSON.stringify(formOf(product));
}

/** A list as it was sent with a form that was refused. */
function keptList(refused: Refused | undefined, name: string): string[] | null {
  const sent = refused?.lastResult.initialValue;
  if (!sent) return null;
  const value: unknown = sent[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}

/** A line as it was sent with a form that was refused. */
function typedText(refused: Refused | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

type FieldName = "name" | "description" | "price" | "stock" | "category";

interface TypedFieldsProps {
  form: {
    field(name: FieldName): { id: string; name: string; error?: string | undefined; defaultValue: string };
  };
}

function TypedFields({ form }: TypedFieldsProps) {
  return (
    <>
      <div className="c6">
        <Field label="Name" maxLength={200} autoComplete="off" data-first="" {...form.field("name")} />
      </div>
      <div className="c2 p6">
        <SelectField label="Category" options={CATEGORY_OPTIONS} {...form.field("category")} />
      </div>
      <div className="c2 p3">
        <Field label="Price ($)" inputMode="decimal" autoComplete="off" {...form.field("price")} />
      </div>
      <div className="c2 p3">
        <Field label="Stock" inputMode="numeric" autoComplete="off" {...form.field("stock")} />
      </div>
      <div className="c6">
        <RichText label="Description" {...form.field("description")} />
      </div>
    </>
  );
}

/** Which step of saving is done, under way, or failed: the next try goes on from there. */
function Progress({ state: { step, isBusy }, isNew }: { state: SaveState; isNew: boolean }) {
  const at = step ?? 0;
  const stateOf = (place: number): StepState => {
    if (place !== at) return place < at ? "done" : "to come";
    return isBusy ? "under way" : "failed";
  };
  return (
    <ol className="save-steps" aria-live="polite">
      {STEPS.map((name, place) =>
        place === 0 && !isNew ? null : <Step key={name} name={name} state={stateOf(place)} />,
      )}
    </ol>
  );
}

type StepState = "done" | "under way" | "failed" | "to come";

function Step({ name, state }: { name: string; state: StepState }) {
  return (
    <li aria-current={state === "under way" || state === "failed" ? "step" : undefined}>
      {state === "done" && <Check className="i s" aria-hidden="true" />}
      {state === "under way" && <span className="spin" aria-hidden="true" />}
      {state === "failed" && <CircleAlert className="i s" aria-hidden="true" />}
      {name}
      <span className="sr"> {state}</span>
    </li>
  );
}
