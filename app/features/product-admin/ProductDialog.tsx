import { type FormEvent, useRef, useState } from "react";
import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import { Field } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import type { FormFailure } from "~/ui/form-failure";
import { SelectField } from "~/ui/SelectField";
import { CHECK_FIELDS, useCheckedForm } from "~/ui/useCheckedForm";
import { useConnectionLost } from "~/ui/useConnectionLost";
import { useFailureToast } from "~/ui/useFailureToast";
import { ColorField } from "./ColorField";
import {
  formState,
  formValues,
  openedState,
  submittedError,
  submittedList,
  submittedText,
} from "./form-values";
import { ImageField } from "./ImageField";
import { RichTextEditor } from "./RichTextEditor";
import { progressMessage, SaveProgress } from "./SaveProgress";
import { ProductFields } from "./schema";
import { useImages } from "./useImages";
import { useProductSave } from "./useProductSave";
import { useUnsaved } from "./useUnsaved";
import type { ProductDetail } from "./views";

interface ProductDialogProps {
  /** The product that is changed; null when one is added. */
  product: ProductDetail | null;
  /** The id that a new one gets, so that it may be sent twice. */
  newId: string;
  back: string;
  action: string;
  refused: FormFailure | undefined;
}

const FORM = "product";
const MULTIPART = "multipart/form-data" as const;
const CATEGORY_OPTIONS = CATEGORIES.map((value) => ({ value, label: categoryName(value) }));

/** Add Product, Edit Product (back office 2 and 4). */
export function ProductDialog(props: ProductDialogProps) {
  const { product, refused } = props;
  useFailureToast(refused);
  const { form, id, formProps, colors, setColors, images, state, imageProblem, question } =
    useProductForm(props);
  const steps = <SaveProgress state={state} isNew={!product} tiles={images.tiles} />;
  return (
    <FormDialog
      {...wordsOf(product !== null, state.kept !== null)}
      intent={product ? "update" : "create"}
      isSaving={state.isBusy}
      saying={progressMessage(state, images.tiles)}
      problem={state.failure ?? form.problem ?? (imageProblem ? CHECK_FIELDS : refused?.failure)}
      note={state.isSignedOut ? <SignIn /> : state.note}
      answer={refused}
      form={formProps}
      back={props.back}
      action={props.action}
      progress={state.step !== null ? steps : undefined}
      question={question}
    >
      <input type="hidden" name="id" value={id} />
      {product && <input type="hidden" name="was" value={openedState(product, refused)} />}
      <TypedFields form={form} />
      <div className="col-6">
        <ColorField
          colors={colors}
          onChange={setColors}
          error={submittedError(refused, "colors")}
          typed={submittedText(refused, "addColors")}
          ticked={submittedList(refused, "colors")}
        />
      </div>
      <div className="col-6">
        <ImageField images={images} isSaving={state.isBusy} problem={imageProblem} refused={refused} />
      </div>
    </FormDialog>
  );
}

function SignIn() {
  return (
    <>
      <a className="link" href="/login" target="_blank" rel="noreferrer">
        Log in in another tab
      </a>
      , then try again here. What you typed is still here.
    </>
  );
}

/**
 * What the dialog and its buttons are called.
 *
 * @param isKept whether a new product has been created by a saving that failed later
 */
function wordsOf(isStored: boolean, isKept: boolean) {
  if (isKept) return { title: "Edit Product", submit: "Try again", cancel: "Close" };
  if (isStored) return { title: "Edit Product", submit: "Update Product" };
  return { title: "Add Product", submit: "Add Product" };
}

const UNSAVED = { told: "What you typed isn’t saved.", leave: "Discard" };
const UNFINISHED = { told: "The product has been added; what is left isn’t saved.", leave: "Leave" };

/** What the form holds, how far its saving is, and whether it may be left. */
function useProductForm({ product, newId, back, refused }: ProductDialogProps) {
  const values = formValues(product);
  const form = useCheckedForm({ id: FORM, schema: ProductFields, lastResult: refused?.lastResult, values });
  const [colors, setColors] = useState(() => submittedList(refused, "color") ?? product?.colors ?? []);
  const images = useImages(submittedList(refused, "tile") ?? product?.imageUrls ?? []);
  const [begun] = useState({ colors, tiles: images.tiles });
  const isDone = useRef(false);
  // Read anew while the form is open, the page has thought of another one.
  const [id] = useState(product?.id ?? submittedText(refused, "id") ?? newId);
  const save = useProductSave({ id, isNew: !product, begun: formState(product), images, back, isDone });
  const { state, imageProblem, check, run } = save;
  const { onInput, question } = useUnsaved({
    form: FORM,
    isChanged: colors !== begun.colors || images.tiles !== begun.tiles,
    isSaving: state.isBusy,
    isDone,
    words: state.kept ? UNFINISHED : UNSAVED,
  });
  const dropped = useConnectionLost((files) => void images.addFiles(files));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    form.props.onSubmit(event);
    if (event.defaultPrevented) return void check(event.currentTarget);
    event.preventDefault();
    void run(event.currentTarget, colors);
  };
  const own = { onInput: onInput(form.props.onInput), onSubmit };
  const formProps = { ...form.props, ...dropped, ...own, encType: MULTIPART };
  return { form, id, formProps, colors, setColors, images, state, imageProblem, question };
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
      <div className="col-6">
        <Field label="Name" maxLength={200} autoComplete="off" data-first="" {...form.field("name")} />
      </div>
      <div className="col-2 col-6-narrow">
        <SelectField label="Category" options={CATEGORY_OPTIONS} {...form.field("category")} />
      </div>
      <div className="col-2">
        <Field label="Price ($)" inputMode="decimal" autoComplete="off" {...form.field("price")} />
      </div>
      <div className="col-2">
        <Field label="Stock" inputMode="numeric" autoComplete="off" {...form.field("stock")} />
      </div>
      <div className="col-6">
        <RichTextEditor label="Description" {...form.field("description")} />
      </div>
    </>
  );
}
