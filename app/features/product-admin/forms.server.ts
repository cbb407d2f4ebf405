import { deleteProduct } from "~/features/catalogue/operations.server";
import { bulkUploadByForm } from "~/features/product-import/operations.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import { BULK_UPLOAD, withoutDialog } from "./list-params";
import { createProductByForm, type Saved, updateProductByForm } from "./save.server";

/**
 * Form actions of the products screen, with their messages.
 *
 * @param url of the form; a success leads back to the same list
 */
export function productForms(url: string): Record<string, FormIntent<unknown>> {
  const to = withoutDialog(url);
  const failed = (verb: string) => (error: AppError) => `Failed to ${verb} product: ${errorMessage(error)}`;
  const saved = (message: string) => (result: Saved) => savedOutcome(to, message, result);
  const bulk = { bulkUpload: bulkForm(to) };
  // The intent of a form that is too large is unknown, so the first entry handles it.
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
