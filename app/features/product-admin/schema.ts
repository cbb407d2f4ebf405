import { z } from "zod";
import { MAX_STOCK } from "~/domain/stock-levels";
import { parseAmount } from "~/domain/typed-amount";
import { MAX_UNITS } from "~/domain/unit-name";
import { formConfirmation, unusualPrice, unusualStock } from "~/domain/unusual-change";
import { PRODUCT } from "~/features/catalogue/product";
import { coloursOf, MAX_OPTIONS, OptionsRule, TypedUnitsRule, UNIT } from "~/features/catalogue/units";
import { imageFiles, isBlank } from "~/features/storage/schema";
import { formEntries } from "~/http/form-fields";
import { splitList, splitUrls } from "~/records/cells";
import { MAX_LIST_LENGTH } from "~/records/fields";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { choicesOf } from "./free-choices";
import type { ProductDetail } from "./list-params";
import { PLATE_INPUTS, type PlateTexts, platesInOrder, typedPlates } from "./plates";
import { type SentUnits, sentUnits } from "./sent-units";
import {
  applyAct,
  draftOf,
  OPTION_INPUTS,
  readDraft,
  totalsOf,
  UNIT_INPUTS,
  type UnitsDraft,
  withTypedValues,
} from "./units-draft";

export const IMAGE_REQUIRED = "At least one image is required";

/** Stands for the images of a form with neither entries nor files. */
const NO_IMAGE = null;

const rules = { ...PRODUCT.rules, ...PRODUCT.typedRules };
const { colors, imageUrls, plates, ...typed } = rules;

/** Fields of the product form with one value, which the browser validates; those of UNIT are of the only unit. */
export const ProductFields = z.object({ ...typed, ...UNIT.rules });

/** Fields of a product whose choices are counted: its units have those that may be missing. */
export const CountedFields = ProductFields.partial({
  stock: true,
  optionLabel: true,
  sku: true,
  barcode: true,
});
export type ProductInput = z.input<typeof CountedFields>;

const names = Object.keys(typed) as (keyof typeof typed)[];
const unitNames = ["sku", "barcode"] as const;
/** Form entries; `color` only restores the colors of a refused form. */
const productEntries = formEntries({
  one: ["id", "was", "held", "addColors", "addImages", "counted", "fill", "act", ...unitNames, ...names],
  all: ["color", "colors", "imageUrls", "tile", "place", "files", ...PLATE_INPUTS],
  lists: {
    options: { fields: OPTION_INPUTS, max: MAX_OPTIONS },
    units: { fields: UNIT_INPUTS, max: MAX_UNITS },
  },
});
type Entries = z.output<typeof productEntries>;

/** Number of fields of a form with the maximum of colors, images, options and units. */
export const MAX_FIELDS =
  20 +
  2 * MAX_LIST_LENGTH +
  (3 + PLATE_INPUTS.length) * MAX_LIST_LENGTH +
  MAX_OPTIONS * (2 + MAX_UNITS) +
  UNIT_INPUTS.length * MAX_UNITS;

const draftIn = (form: Entries): UnitsDraft =>
  readDraft({
    counted: textOf(form, "counted"),
    fill: textOf(form, "fill"),
    options: form.options,
    units: form.units,
  });

/** Reads the options and units of a form as they would be saved. */
export const sentDraft = (form: FormData): UnitsDraft =>
  withTypedValues(draftIn(productEntries.parse({ form })));

function textOf(form: Entries, name: keyof Entries): string | undefined {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
}

/** Form whose button changes the options and units before they are saved. */
export const UnitsForm = productEntries.transform((form): UnitsDraft => {
  const label = textOf(form, "optionLabel") ?? "";
  const values = [...form.colors.map(String), ...splitList(textOf(form, "addColors") ?? "")];
  return applyAct(draftIn(form), textOf(form, "act") ?? "", { label, values });
});

/** Complete form as sent without JavaScript: text fields, kept list entries and new files. */
export const ProductForm = productEntries
  .transform((form): Record<string, unknown> => formFields(form))
  .pipe(
    z.object({
      ...rules,
      id: z.string().max(64).optional(),
      // A rule of the whole form would run only once its fields are valid.
      imageUrls: z.preprocess((list, context) => {
        if (list === NO_IMAGE) context.addIssue({ code: "custom", message: IMAGE_REQUIRED });
        return list;
      }, imageUrls),
      files: imageFiles,
      untouched: z.array(z.string()),
      was: z.string(),
      options: OptionsRule.optional(),
      units: TypedUnitsRule.optional(),
      unitIds: z.array(z.string()),
      stockWas: typed.stock.optional().catch(undefined),
      heldWas: typed.stock.optional().catch(undefined),
    }),
  );
export type ProductFormInput = z.infer<typeof ProductForm>;

function formFields(form: Entries): Record<string, unknown> {
  const text = (name: keyof Entries) => textOf(form, name);
  const { files } = form;
  const entries = [...orderedImages(form), ...splitUrls(text("addImages") ?? "")];
  const hasImage = entries.length > 0 || files.some((file) => file instanceof File && !isBlank(file));
  const was = text("was") ?? "{}";
  const units = formUnits(form, was);
  const fields = {
    ...Object.fromEntries((["id", ...names] as const).map((name) => [name, text(name)])),
    hasEngraving: text("hasEngraving") ?? null,
    isHidden: text("isHidden") ?? null,
    colors: [...form.colors, ...splitList(text("addColors") ?? "")],
    imageUrls: hasImage ? entries : NO_IMAGE,
    plates: typedPlates(form.tile, form),
    files,
    ...(text("counted") === "1" && wholeFields(was, units)),
  };
  return {
    ...fields,
    ...units,
    was,
    unitIds: openedDraft(was).units.map(({ id }) => id),
    stockWas: opened(was, "stock"),
    heldWas: text("held"),
    untouched: unchangedFields(fields, was),
  };
}

/** Options and units of a form, or the codes of an only unit. */
function formUnits(form: Entries, was: string): SentUnits {
  const draft = withTypedValues(draftIn(form));
  const codes = unitNames.filter((name) => (textOf(form, name) ?? "") !== String(opened(was, name) ?? ""));
  return withCodes(
    sentUnits(draft, openedDraft(was)),
    draft.isCounted ? {} : Object.fromEntries(codes.map((name) => [name, textOf(form, name) ?? ""])),
  );
}

/** Adds the changed codes of an only unit to what a request says of the units. */
export const withCodes = (sent: SentUnits, codes: Record<string, unknown>): SentUnits =>
  Object.keys(codes).length > 0 ? { ...sent, units: [{ options: {}, ...codes }] } : sent;

/** Fields of a product as a whole, which its units replace: as they were, with the colours of the options. */
function wholeFields(was: string, { options }: SentUnits): Record<string, unknown> {
  return {
    stock: opened(was, "stock") ?? 0,
    optionLabel: opened(was, "optionLabel"),
    colors: options ? coloursOf(options) : (opened(was, "colors") ?? []),
  };
}

/** Returns the options and units that a form opened with. @param was JSON of all values */
export function openedDraft(was: string): UnitsDraft {
  const draft = opened(was, "units") as UnitsDraft | undefined;
  return Array.isArray(draft?.units) && Array.isArray(draft.options) ? draft : draftOf(null);
}

/** Returns a value that the form opened with. @param was JSON of all of them */
function opened(was: string, name: string): unknown {
  try {
    return (JSON.parse(was) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Asks for the confirmation of unusual changes of the price and the stock that the form opened with; null for others. */
export const productConfirmation = (form: FormData): string | null =>
  formConfirmation({ Price: changedPrice(form), Stock: changedStock(form) });

function changedPrice(form: FormData): string | null {
  const [before, after] = changeOf(form, "price").map(parseAmount);
  // Another text is an error of the field.
  return before && after?.isCertain ? unusualPrice(before.cents, after.cents) : null;
}

function changedStock(form: FormData): string | null {
  const [before, after] = changeOf(form, "stock");
  if (before === "" || !/^\d{1,7}$/.test(after) || Number(after) > MAX_STOCK) return null;
  return unusualStock(Number(before), Number(after), Number(form.get("held")));
}

/** Returns the value that a field opened with, blank for none, and the one it has. */
function changeOf(form: FormData, name: string): [before: string, after: string] {
  const before = opened(String(form.get("was")), name);
  return [typeof before === "string" ? before : "", String(form.get(name)).trim()];
}

/**
 * Names the unchanged fields, which must not overwrite the edits of others.
 *
 * @param was JSON of the values that the form opened with
 */
function unchangedFields(fields: Record<string, unknown>, was: string): string[] {
  try {
    const before = JSON.parse(was) as Record<string, unknown>;
    const same = (value: unknown) => JSON.stringify(value)?.replaceAll("\\r\\n", "\\n");
    return Object.keys(before).filter((name) => same(fields[name]) === same(before[name]));
  } catch {
    return [];
  }
}

/** Orders the kept images: moved ones at their typed position, the others around them. */
function orderedImages(form: Entries): FormDataEntryValue[] {
  const positions = form.place.map(Number);
  const typed = new Map(form.tile.map((tile, i) => [tile, { from: i + 1, to: positions[i] || i + 1 }]));
  const kept = form.imageUrls.map((entry) => ({ entry, ...(typed.get(entry) ?? { from: 0, to: 0 }) }));
  const inOrder = kept.filter(({ from, to }) => from === to);
  const moved = kept.filter(({ from, to }) => from !== to).sort((a, b) => a.to - b.to);
  for (const image of moved) inOrder.splice(Math.max(0, image.to - 1), 0, image);
  return inOrder.map(({ entry }) => entry);
}

/** Initial values as the form sends them. @param code barcode of a new product */
export function formState(product: ProductDetail | null, code = "") {
  if (!product) return { ...PRODUCT.blank, sku: "", barcode: code };
  const { sku = "", barcode = "" } = product.options.length > 0 ? {} : (product.units[0] ?? {});
  return {
    ...PRODUCT.formValues(product),
    plates: platesInOrder(product.imageUrls, product.plates),
    ...{ sku, barcode },
  };
}

/** Serialises the values that a form without JavaScript opens with; a refused form keeps its first ones. */
export function openedState(product: ProductDetail, refused: RefusedForm | undefined): string {
  return submittedText(refused, "was") ?? JSON.stringify({ ...formState(product), units: draftOf(product) });
}

/** Reads the options and units of a refused form; null without one. */
export function submittedDraft(refused: RefusedForm | undefined): UnitsDraft | null {
  const submitted = refused?.lastResult.initialValue;
  if (!submitted) return null;
  const lines = (value: unknown) =>
    (Array.isArray(value) ? value : []).map((line: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(line ?? {}).map(([name, text]) => [
          name,
          [text].flat().map((each) => String(each ?? "")),
        ]),
      ),
    );
  const draft = readDraft({
    counted: submittedText(refused, "counted"),
    fill: submittedText(refused, "fill"),
    options: lines(submitted.options),
    units: lines(submitted.units),
  });
  return { ...draft, problem: submittedText(refused, "unitsProblem") ?? null };
}

/** Writes options and units as a form without a script sends them, to draw it again. */
export const draftValues = (draft: UnitsDraft) => ({ ...draftTexts(draft), ...wholeTexts(draft) });

const draftTexts = ({ isCounted, options, units, fill, problem }: UnitsDraft) => ({
  counted: isCounted ? "1" : "",
  fill: JSON.stringify(fill),
  options,
  units: units.map(({ at, ...unit }) => ({ ...unit, at: at.join(".") })),
  unitsProblem: problem ?? "",
});

/** Texts of a product that is counted as a whole again: what its units have together. */
function wholeTexts(draft: UnitsDraft) {
  if (draft.isCounted || draft.options.length === 0) return {};
  const { label, values } = choicesOf(draft);
  const stock = draft.units.length > 0 ? { stock: String(totalsOf(draft, null).stock) } : {};
  return { color: values, colors: values, optionLabel: label, ...stock };
}

/** Reads a list from a refused form; null without one. */
export function submittedList(refused: RefusedForm | undefined, name: string): string[] | null {
  const submitted = refused?.lastResult.initialValue;
  if (!submitted) return null;
  const value: unknown = submitted[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}

/** Checkboxes and numbers of a form that was refused without JavaScript. */
export interface SubmittedImages {
  ticked: string[];
  positions: string[];
}

/** Reads the checkboxes and numbers of images from a refused form. */
export function submittedImages(refused: RefusedForm | undefined): SubmittedImages | null {
  const ticked = submittedList(refused, "imageUrls");
  return ticked && { ticked, positions: submittedList(refused, "place") ?? [] };
}

/** Reads the fields of an image's plate from a refused form; null without one. */
export function submittedPlate(refused: RefusedForm | undefined, position: number): PlateTexts | null {
  if (!refused?.lastResult.initialValue) return null;
  const texts = PLATE_INPUTS.map((name) => [name, submittedList(refused, name)?.[position] ?? ""]);
  return Object.fromEntries(texts) as PlateTexts;
}

export function submittedText(refused: RefusedForm | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the error of a list or of one of its entries. */
export function submittedError(refused: RefusedForm | undefined, name: string): string | undefined {
  const errors = Object.entries(refused?.lastResult.error ?? {});
  return errors.find(
    ([path]) => path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name)),
  )?.[1]?.[0];
}
