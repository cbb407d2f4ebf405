import {
  addProduct,
  changedColumns,
  changeProduct,
  deleteProduct,
  newProduct,
} from "~/features/catalogue/operations/writes.server";
import { newProductId } from "~/features/catalogue/product";
import { findProduct, type NewProductRow } from "~/features/catalogue/queries.server";
import { updateProductRow } from "~/features/catalogue/writes.queries.server";
import { labelsUrl } from "~/features/codes/paths";
import { importByForm, planByForm } from "~/features/product-import/operations.server";
import { IMPORT_DIALOG } from "~/features/product-import/plan";
import { FILE_TOO_LARGE } from "~/features/product-import/sheet";
import { claimedImages } from "~/features/storage/image-claims.server";
import { MAX_UPLOAD_BYTES, storeImages } from "~/features/storage/operations/upload.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { asAppError, type OperationContext, operation } from "~/http/operation.server";
import { fullName } from "~/session/caller.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { actByForm } from "./acts/forms.server";
import { namedProblems } from "./problem-names";
import {
  draftValues,
  MAX_FIELDS,
  openedDraft,
  ProductForm,
  type ProductFormInput,
  productConfirmation,
  sentDraft,
  UnitsForm,
} from "./schema";
import { withStocks } from "./units-draft";

/**
 * Form actions of the products screen, with their messages.
 *
 * @param url of the form; a success leads back to the same list
 */
export function productForms(url: string): FormIntents {
  const to = withoutDialog(url);
  const failed = (verb: string) => (error: AppError) => `Failed to ${verb} product: ${errorMessage(error)}`;
  const unsaved = (error: AppError, form: FormData) =>
    `Failed to save product: ${namedProblems(errorMessage(error), error.details ?? [], sentDraft(form))}`;
  const saved = (message: string) => (result: Saved) => savedOutcome(to, message, result);
  const uploads = { bulkUpload: importForm(to), planUpload: planForm() };
  // The intent of a form that is too large is unknown, so the first entry handles it.
  const isImport = new URL(url).searchParams.get("dialog") === IMPORT_DIALOG;
  return {
    ...(isImport && uploads),
    // Its buttons have a name of their own in place of an intent.
    ...(!isImport && {
      changeUnits: intent(changeUnitsByForm, {
        done: (draft, form) => ({ page: { product: { ...form, files: undefined, ...draftValues(draft) } } }),
        failed: unsaved,
      }),
    }),
    create: intent(createProductByForm, {
      done: saved("Product created successfully!"),
      failed: unsaved,
    }),
    update: intent(updateProductByForm, {
      done: saved("Product updated successfully!"),
      failed: unsaved,
      confirmation: productConfirmation,
    }),
    delete: intent(deleteProduct, {
      done: ({ message }) => ({ to, toast: message }),
      failed: failed("delete"),
    }),
    ...uploads,
    act: actForm(to),
  };
}

function actForm(to: string) {
  return intent(actByForm, {
    done: (outcome) => {
      if ("page" in outcome) return { page: { acting: outcome.page } };
      if ("labels" in outcome) return { to: labelsUrl(outcome.labels) };
      const { id, message, left } = outcome.result;
      if (!id && left.length > 0)
        return { to: withoutAct(to), toast: { type: "error", message: nothingDone(left) } };
      const list = withoutAct(to);
      return { to: id ? withParams(list, { act: id }) : list, toast: message };
    },
  });
}

/** Products that a message names. */
const MAX_NAMED = 3;

/** Says why an act has changed none of its products. */
function nothingDone(left: { name: string; reason: string }[]): string {
  const reasons = left.slice(0, MAX_NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = left.length - reasons.length;
  return `Nothing was changed. ${reasons.join("; ")}${more > 0 ? `; and ${more} more` : ""}. Choose the products again.`;
}

/** Removes the result of an earlier act from a list's URL. */
function withoutAct(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://local");
  searchParams.delete("act");
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}

function importForm(to: string) {
  return intent(importByForm, {
    done: (outcome) => {
      if ("plan" in outcome) return { page: outcome };
      return {
        to: withParams(to, { dialog: IMPORT_DIALOG, run: outcome.run }),
        toast: outcome.result.message || "Upload successful!",
      };
    },
    failed: importFailure,
  });
}

function planForm() {
  return intent(planByForm, { done: (page) => ({ page }), failed: importFailure });
}

function importFailure({ details, message, code }: AppError): string {
  if (code === "tooLarge" && message === BODY_TOO_LARGE) return FILE_TOO_LARGE;
  return details?.[0]?.message ?? message;
}

function withParams(url: string, params: Record<string, string>): string {
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(params)}`;
}

/** Message of an error; only images can make a form too large. */
function errorMessage({ code, message }: AppError): string {
  if (code !== "tooLarge" || message !== BODY_TOO_LARGE) return message;
  return "The images are larger than 50 MB together. Nothing of the form was read: go back to it and choose fewer at a time";
}

/** Redirects to the list, or back to the product's form when images failed. */
function savedOutcome(to: string, message: string, { id, problem }: Saved) {
  if (!problem) return { to, toast: message };
  return { to: withParams(to, { edit: id }), toast: { type: "error" as const, message: problem } };
}

/** Saved product; with `problem`, some new images are missing. */
export interface Saved {
  id: string;
  problem: string | null;
}

type Staff = OperationContext<"staff", ProductFormInput>;

/** Access and limits of the product form. */
const PRODUCT_FORM = {
  access: "staff",
  input: ProductForm,
  maxBytes: MAX_UPLOAD_BYTES,
  accepts: "multipart",
  maxFields: MAX_FIELDS,
} as const;

/** Changes the options and units of a form that is not saved yet, for a browser without a script. */
const changeUnitsByForm = operation({
  ...{ ...PRODUCT_FORM, input: UnitsForm },
  run: async ({ input }) => input,
});

/** Creates a product from the form, then uploads its images and adds them to it. */
const createProductByForm = operation({
  ...PRODUCT_FORM,
  async run(context): Promise<Saved> {
    const { db, input, now, user } = context;
    const { files, id: submittedId, unitIds: _, ...fields } = input;
    const id = newProductId.safeParse(submittedId).data;
    const imageUrls = await claimedImages(context, fields.imageUrls);
    const { product, isNew } = await addProduct(
      db,
      newProduct({ ...fields, imageUrls, id }, now),
      fullName(user),
    );
    // A repeated request must not upload the images again.
    const isComplete = product.imageUrls.length >= imageUrls.length + files.length;
    if (!isNew && isComplete) return { id: product.id, problem: null };
    return addImages(context, product.id, () => imageUrls);
  },
});

/**
 * Updates a product from the form.
 *
 * @throws AppError notFound (404); invalid (400) for image keys that the server has not issued
 */
const updateProductByForm = operation({
  ...PRODUCT_FORM,
  async run(context): Promise<Saved> {
    const { files: _, id = "", untouched, was, unitIds, ...fields } = context.input;
    const changes = Object.entries(fields).filter(([name]) => !untouched.includes(name));
    const after = await changeProduct(context, {
      id,
      was: { ...openedValues(was), units: unitIds },
      ...Object.fromEntries(changes),
    }).catch((error) => {
      throw error instanceof AppError ? withCurrentValues(error, was) : error;
    });
    return addImages(context, after.id, (current) => current.imageUrls);
  },
});

/** Lets the form, shown again after an edit conflict, know the current values. @param was JSON of the values that it opened with */
function withCurrentValues(error: AppError, was: string): AppError {
  const { code, message, details } = error;
  const detail = (name: string) => details?.find(({ path }) => path === name)?.message;
  const [stock, values, unitStocks] = [detail("stockWas"), detail("was"), detail("unitsWas")];
  if (code !== "conflict" || [stock, values, unitStocks].every((each) => each === undefined)) return error;
  const current = {
    ...openedValues(values ?? "{}"),
    ...(stock !== undefined && { stock }),
    ...(unitStocks !== undefined && { units: withStocks(openedDraft(was), openedValues(unitStocks)) }),
  };
  const opened = { ...openedValues(was), ...current };
  return new AppError(code, message, {
    details: details ?? [],
    fieldValues: { was: JSON.stringify(opened) },
  });
}

/** Parses the values that a form opened with; invalid JSON has none. */
function openedValues(was: string): Record<string, unknown> {
  try {
    const values: unknown = JSON.parse(was);
    return values !== null && typeof values === "object" ? (values as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Uploads the files and appends them to the product as stored. The other fields are saved already, so a failing
 * image loses nothing else.
 *
 * @param entriesBefore returns the entries that precede them
 * @throws AppError notFound (404) for a product that was deleted during the upload
 */
async function addImages(
  { env, db, input, now, user }: Staff,
  id: string,
  entriesBefore: (current: NewProductRow) => string[],
): Promise<Saved> {
  const problems: string[] = [];
  const entries: string[] = [];
  for (const file of input.files) {
    try {
      const keys = await storeImages({ db, env }, [file], id);
      entries.push(...keys.map((key) => `minio:${key}`));
    } catch (error) {
      problems.push(asAppError(error).message);
    }
  }
  if (entries.length > 0) {
    const current = await findProduct(db, id);
    if (!current) throw new AppError("notFound", "Product not found");
    const imageUrls = [...entriesBefore(current), ...entries];
    await updateProductRow(db, id, {
      columns: changedColumns(current, { id, imageUrls }, now),
      ...{ units: null, seen: {}, actor: fullName(user), now },
      priceCents: current.priceCents,
      hasOwnPrices: current.baseCents !== null,
    });
  }
  if (problems.length === 0) return { id, problem: null };
  const failure = `Failed to upload images: ${problems.join(", ")}`;
  return { id, problem: `${failure}. Everything else is saved: add the missing images here.` };
}
