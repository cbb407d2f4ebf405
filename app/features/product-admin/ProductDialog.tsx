import { type FormEvent, useMemo, useRef, useState } from "react";
import { ObjectHistory, type RecentChanges } from "~/features/audit/ObjectHistory";
import { PRODUCT } from "~/features/catalogue/product";
import { waitingText } from "~/features/restock/waiting-text";
import { RecordFields } from "~/records/RecordFields";
import { Checkbox } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import { useFileDrop } from "~/ui/file-input";
import { Icon } from "~/ui/Icon";
import {
  CHECK_FIELDS,
  type RefusedForm,
  useCheckedForm,
  useConfirmation,
  useFailureToast,
} from "~/ui/useCheckedForm";
import { ImageField } from "./ImageField";
import { ColorField } from "./list-fields";
import type { ProductDetail } from "./list-params";
import { RichTextEditor } from "./RichTextEditor";
import { stepsOf } from "./save-steps";
import {
  CountedFields,
  formState,
  openedState,
  ProductFields,
  type ProductInput,
  productConfirmation,
  submittedDraft,
  submittedError,
  submittedList,
  submittedText,
} from "./schema";
import { UnitsField } from "./UnitsField";
import { draftOf } from "./units-draft";
import { type Tile, useImages } from "./useImages";
import { usePlates } from "./usePlates";
import { type SaveState, useProductSave, useUnsavedChanges } from "./useProductSave";
import { useUnitErrors, useUnits } from "./useUnits";

interface ProductDialogProps {
  /** Edited product; null to add one. */
  product: ProductDetail | null;
  /** New product: its id, so that a repeated request stores one product, and the barcode that was scanned for it. */
  blank: { id: string; barcode: string };
  changes: RecentChanges;
  back: string;
  action: string;
  refused: RefusedForm | undefined;
}

const FORM = "product";
const MULTIPART = "multipart/form-data" as const;

export function ProductDialog(props: ProductDialogProps) {
  const { product, refused } = props;
  const { form, id, formProps, colors, setColors, images, plates, units, state, imageProblem, ...rest } =
    useProductForm(props);
  const { confirmation, odd, problems } = rest;
  const [hasPlates, setHasPlates] = useState(form.checkbox("hasEngraving").defaultChecked);
  const intent = product ? "update" : "create";
  const failure = imageProblem ? CHECK_FIELDS : refused?.failure;
  return (
    <FormDialog
      {...dialogLabels(product !== null, state.created !== null)}
      {...savingProps(state, images.tiles, product === null)}
      intent={intent}
      problem={odd.asked ?? state.failure ?? form.problem ?? failure}
      answer={refused}
      form={formProps}
      back={props.back}
      action={props.action}
      confirmation={confirmation}
    >
      <FirstFields id={id} intent={intent} />
      {product && <OpenedWith product={product} refused={refused} confirmed={odd.confirmed} />}
      <ProductControls
        {...{ form, colors, setColors, refused, problems, isCounted: units.draft.isCounted }}
        onEngraving={setHasPlates}
      />
      <UnitsField
        {...{ units, form, problems, tiles: images.tiles, price: rest.price }}
        stored={product?.units ?? []}
        divided={product && product.options.length === 0 ? product.stock : null}
      />
      <ImageField
        {...{ images, plates, hasPlates, refused }}
        isSaving={state.isBusy}
        clientError={imageProblem ?? problems.imageUrls ?? problems.plates}
      />
      {product && <ObjectHistory id={product.id} changes={props.changes} className="col-6" />}
    </FormDialog>
  );
}

/** Id of the product, and a button of the form: without a script, Enter presses the first one. */
const FirstFields = ({ id, intent }: { id: string; intent: string }) => (
  <>
    <input type="hidden" name="id" value={id} />
    <button type="submit" name="intent" value={intent} tabIndex={-1} hidden>
      Save
    </button>
  </>
);

interface OpenedWithProps {
  product: ProductDetail;
  refused: RefusedForm | undefined;
  confirmed: string | null;
}

/** Hidden fields of an edit (what the form opened with, and what it confirms), and how many people wait for the product. */
function OpenedWith({ product, refused, confirmed }: OpenedWithProps) {
  return (
    <>
      <input type="hidden" name="was" value={openedState(product, refused)} />
      <input type="hidden" name="held" value={product.held} />
      {confirmed && <input type="hidden" name="confirmed" value={confirmed} />}
      {product.waiting > 0 && <p className="soft col-6">{waitingText(product.waiting)}</p>}
    </>
  );
}

/** Columns that stand before the others. */
const FIRST = ["name", "category", "priceCents", "stock", "hasEngraving", "description"];

interface ProductControlsProps {
  form: ReturnType<typeof useProductForm>["form"];
  colors: string[];
  setColors: (colors: string[]) => void;
  onEngraving: (hasEngraving: boolean) => void;
  refused: RefusedForm | undefined;
  problems: SaveState["problems"];
  /** Its options have the stock and the colours. */
  isCounted: boolean;
}

/** Controls of the fields, the images and their plates excepted. */
function ProductControls(props: ProductControlsProps) {
  const { form, colors, setColors, onEngraving, refused, problems } = props;
  const { hasEngraving, description } = PRODUCT.fields;
  const own = {
    ...{ imageUrls: null, plates: null },
    ...(props.isCounted && { stock: null, optionLabel: null }),
    hasEngraving: (
      <Checkbox
        {...form.checkbox("hasEngraving")}
        onChange={({ currentTarget }) => onEngraving(currentTarget.checked)}
      >
        {hasEngraving.control.caption}
      </Checkbox>
    ),
    description: <RichTextEditor label={description.label} {...form.field("description")} />,
    colors: props.isCounted ? null : (
      <ColorField
        colors={colors}
        onChange={setColors}
        error={problems.colors ?? submittedError(refused, "colors")}
        typed={submittedText(refused, "addColors")}
        ticked={submittedList(refused, "colors")}
      />
    ),
  };
  return <RecordFields record={PRODUCT} form={form} first={FIRST} own={own} />;
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
 * Labels of the dialog and its buttons.
 *
 * @param isCreated true when a new product was created before a later step failed
 */
function dialogLabels(isStored: boolean, isCreated: boolean) {
  if (isCreated) return { title: "Edit Product", submit: "Try again", cancel: "Close" };
  if (isStored) return { title: "Edit Product", submit: "Update Product" };
  return { title: "Add Product", submit: "Add Product" };
}

const UNSAVED = { message: "What you typed isn’t saved.", leave: "Discard" };
const UNFINISHED = { message: "The product has been added; what is left isn’t saved.", leave: "Leave" };

/** Parts of the form beside its fields, and whether they have changed since it was opened. */
function useProductParts(product: ProductDetail | null, refused: RefusedForm | undefined) {
  const [colors, setColors] = useState(() => submittedList(refused, "color") ?? product?.colors ?? []);
  const images = useImages(submittedList(refused, "tile") ?? product?.imageUrls ?? []);
  const plates = usePlates(product?.plates ?? {});
  const openedUnits = draftOf(product);
  const units = useUnits({
    initial: submittedDraft(refused) ?? openedUnits,
    freeChoices: () => ({ label: typedLabel(), values: colors }),
    onUncounted: ({ label, values }) => {
      setColors(values);
      requestAnimationFrame(() => writeLabel(label));
    },
  });
  const [initial] = useState({ colors, tiles: images.tiles, plates: plates.all, units: units.draft });
  const isChanged =
    colors !== initial.colors ||
    images.tiles !== initial.tiles ||
    plates.all !== initial.plates ||
    units.draft !== initial.units;
  return { colors, setColors, images, plates, units, openedUnits, isChanged };
}

/** State of the form: values, progress of saving, and the confirmation before unsaved changes are discarded. */
function useProductForm({ product, blank, back, refused }: ProductDialogProps) {
  useFailureToast(refused);
  const values = formState(product, blank.barcode);
  const { openedUnits, isChanged, ...parts } = useProductParts(product, refused);
  const { colors, images, plates, units } = parts;
  const isDone = useRef(false);
  // The first id counts: every revalidation of the page proposes another one.
  const [id] = useState(product?.id ?? submittedText(refused, "id") ?? blank.id);
  const opened = { ...values, held: product?.held ?? 0 };
  const saved = { id, isNew: !product, opened, images, plates: plates.all, units, openedUnits };
  const { state, imageProblem, check, run } = useProductSave({ ...saved, back, isDone });
  const schema = units.draft.isCounted ? CountedFields : ProductFields;
  const rules = { id: FORM, schema, values, errors: state.problems };
  const form = useCheckedForm<ProductInput>({ ...rules, lastResult: refused?.lastResult });
  const { onInput, confirmation } = useUnsavedChanges({
    form: FORM,
    ...{ isChanged, isSaving: state.isBusy, isDone, labels: state.created ? UNFINISHED : UNSAVED },
  });
  const dropHandlers = useFileDrop((files) => void images.addFiles(files));
  const validate = validateAll(form.props.onSubmit, check);
  const { onSubmit: submit, ...odd } = useConfirmation(productConfirmation, validate, refused);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    submit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    void run(event.currentTarget, colors);
  };
  const [price, setPrice] = useState(form.field("price").defaultValue);
  const typed = (event: FormEvent) => {
    const { name, value } = event.target as HTMLInputElement;
    if (name === "price") setPrice(value);
    form.props.onInput(event);
  };
  const handlers = { onInput: onInput(typed), onSubmit };
  const formProps = { ...form.props, ...dropHandlers, ...handlers, encType: MULTIPART };
  const problems = useProblems(refused, state.problems);
  const withErrors = { ...units, ...useUnitErrors(units.draft, problems) };
  const shown = { state, imageProblem, confirmation, odd, problems, price };
  return { form, id, formProps, ...parts, units: withErrors, ...shown };
}

const labelField = () => document.querySelector<HTMLInputElement>(`#${FORM} [name=optionLabel]`);

/** Label of the free choices as it is typed. */
const typedLabel = () => labelField()?.value.trim() ?? "";

function writeLabel(label: string): void {
  const field = labelField();
  if (field) field.value = label;
}

/** Error messages by field: those of a request that a script sent, else of a refused form. */
function useProblems(refused: RefusedForm | undefined, sent: Record<string, string>) {
  return useMemo(() => {
    const errors = Object.entries(refused?.lastResult.error ?? {});
    return { ...Object.fromEntries(errors.map(([path, messages]) => [path, messages?.[0] ?? ""])), ...sent };
  }, [refused, sent]);
}

/** Validates the fields, then what `check` finds beside them, whose field it focuses. */
const validateAll =
  (
    submit: (event: FormEvent<HTMLFormElement>) => void,
    check: (form: HTMLFormElement) => HTMLElement | null,
  ) =>
  (event: FormEvent<HTMLFormElement>) => {
    submit(event);
    const field = check(event.currentTarget);
    if (!field || event.defaultPrevented) return;
    event.preventDefault();
    field.focus();
  };

/** Props of the dialog that follow from saving. */
const savingProps = (state: SaveState, tiles: Tile[], isNew: boolean) => ({
  isSaving: state.isBusy,
  busyMessage: progressMessage(state, tiles, isNew),
  note: state.isSignedOut ? <SignIn /> : state.note,
  progress: state.step === null ? undefined : <SaveProgress {...{ state, isNew, tiles }} />,
});

interface SaveProgressProps {
  state: SaveState;
  isNew: boolean;
  tiles: Tile[];
}

/** Steps of saving with their state; the next attempt continues at the failed one. */
function SaveProgress({ state: { step, isBusy }, isNew, tiles }: SaveProgressProps) {
  const current = step ?? 0;
  const stepState = (index: number): StepState => {
    if (index !== current) return index < current ? "done" : "to come";
    return isBusy ? "under way" : "failed";
  };
  return (
    <ol className="save-steps">
      {stepsOf(isNew).map(
        (name, index) =>
          name && (
            <Step key={name} state={stepState(index)}>
              {index === 1 ? name + uploadCount(tiles) : name}
            </Step>
          ),
      )}
    </ol>
  );
}

function progressMessage({ step }: SaveState, tiles: Tile[], isNew: boolean): string {
  const uploading = tiles.find(({ state }) => state === "uploading");
  if (step === 1 && uploading) return `Uploading ${uploading.name}, image${uploadCount(tiles, 1)}`;
  return step === 2 && isNew ? "Saving the image list" : "Saving the product";
}

function uploadCount(tiles: Tile[], extra = 0): string {
  const files = tiles.filter(({ blob }) => blob);
  const done = files.filter(({ entry }) => entry !== null);
  return files.length > 0 ? ` ${done.length + extra} of ${files.length}` : "";
}

type StepState = "done" | "under way" | "failed" | "to come";

function Step({ state, children }: { state: StepState; children: string }) {
  return (
    <li aria-current={state === "under way" || state === "failed" ? "step" : undefined} data-state={state}>
      {state === "done" && <Icon name="check" className="i s" />}
      {state === "under way" && <span className="spinner" aria-hidden="true" />}
      {state === "failed" && <Icon name="circle-alert" className="i s" />}
      {children}
      <span className="visually-hidden"> {state}</span>
    </li>
  );
}
