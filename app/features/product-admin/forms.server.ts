import { deleteProduct } from "~/features/catalogue/operations.server";
import { bulkUploadByForm } from "~/features/product-import/operations.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import { BULK_UPLOAD, withoutDialog } from "./list-params";
import { createProductByForm, type Saved, updateProductByForm } from "./save.server";

/**
 * What the products' screen may be asked for, with the words of back office 8.
 *
 * @param url of the form: what was done leads back to the same list
 */
export function productForms(url: string): Record<string, FormIntent<unknown>> {
  const to = withoutDialog(url);
  const failed = (act: string) => (error: AppError) => `Failed to ${act} product: ${wordsOf(error)}`;
  const saved = (message: string) => (result: Saved) => savedAt(to, message, result);
  const bulk = { bulkUpload: bulkForm(to) };
  // A form that is too large isn't read, so its intent is unknown: the first one here is taken.
  const isBulk = new URL(url).searchParams.get("dialog") === BULK_UPLOAD;
  return {
    ...(isBulk && bulk),
    create: intent(createProductByForm, {
      done: saved("Product created successfully!"),
      failed: failed("save"),
    }),
    update: intent(updateProductByForm, {
      done: saved("Product updated successfully!"),
      failed: failed("save"),
    }),
    delete: intent(deleteProduct, {
      done: () => ({ to, toast: "Product deleted successfully!" }),
      failed: failed("delete"),
    }),
    ...bulk,
  };
}

/** @param to the list that it was opened over */
function bulkForm(to: string): FormIntent<unknown> {
  return intent(bulkUploadByForm, {
    done: ({ run, result }) => ({
      to: withParams(to, { dialog: BULK_UPLOAD, run }),
      toast: result.message || "Upload successful!",
    }),
    failed: ({ details, message, code }) => {
      if (code === "tooLarge" && message === BODY_TOO_LARGE) return "The file is larger than 10 MB";
      return details?.[0]?.message ?? message ?? "Upload failed";
    },
  });
}

function withParams(address: string, params: Record<string, string>): string {
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(params)}`;
}

/** A form is too large by its images alone. */
function wordsOf({ code, message }: AppError): string {
  if (code !== "tooLarge" || message !== BODY_TOO_LARGE) return message;
  return "The images are larger than 50 MB together. Nothing of the form was read: go back to it and choose fewer at a time";
}

/** Where images failed, the product is open again: its form goes on from there. */
function savedAt(to: string, message: string, { id, problem }: Saved) {
  if (!problem) return { to, toast: message };
  return { to: withParams(to, { edit: id }), toast: { type: "error" as const, message: problem } };
}
