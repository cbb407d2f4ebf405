import { z } from "zod";
import type { ProductField } from "~/features/catalogue/product-fields";
import {
  LIST_LENGTH,
  productCategory,
  productColors,
  productDescription,
  productImages,
  productName,
  productPrice,
  productStock,
} from "~/features/catalogue/product-schema";
import { splitList, splitUrls } from "~/features/product-import/draft";
import { imageFiles, isBlank } from "~/features/storage/schema";
import { formEntries } from "~/http/form-fields";

/** Back office 5. */
export const IMAGE_REQUIRED = "At least one image is required";

/** In place of a form's images where it has neither entries nor files. */
const NO_IMAGE = null;

const typed = {
  name: productName,
  description: productDescription,
  price: productPrice,
  stock: productStock,
  category: productCategory,
} satisfies Record<Exclude<ProductField, "colors" | "imageUrls">, z.ZodType>;

/** What is typed into the product's form, as the browser checks it before anything is sent. */
export const ProductFields = z.object(typed);

const names = Object.keys(typed) as (keyof typeof typed)[];
/** `color` only tells a form that was refused which colors it had. */
const productEntries = formEntries({
  one: ["id", "was", "addColors", "addImages", ...names],
  all: ["color", "colors", "imageUrls", "tile", "place", "files"],
});
type Entries = z.output<typeof productEntries>;

/** Fields of a form with as many colors and images as a product may have. */
export const MAX_FIELDS = 20 + 2 * LIST_LENGTH + 3 * LIST_LENGTH;

/** The whole form as it is sent without a script: what is typed, what is kept of lists, and new files. */
export const ProductForm = productEntries
  .transform((form): Record<string, unknown> => fieldsOf(form))
  .pipe(
    z.object({
      ...typed,
      id: z.string().max(64).optional(),
      colors: productColors,
      // Told together with whatever else is wrong: a rule of the whole form would wait for its fields.
      imageUrls: z.preprocess((list, context) => {
        if (list === NO_IMAGE) context.addIssue({ code: "custom", message: IMAGE_REQUIRED });
        return list;
      }, productImages),
      files: imageFiles,
      untouched: z.array(z.string()),
    }),
  );
export type ProductFormInput = z.infer<typeof ProductForm>;

function fieldsOf(form: Entries): Record<string, unknown> {
  const text = (name: keyof Entries) => {
    const value = form[name];
    return typeof value === "string" ? value : undefined;
  };
  const { files } = form;
  const entries = [...inPlace(form), ...splitUrls(text("addImages") ?? "")];
  const hasImage = entries.length > 0 || files.some((file) => file instanceof File && !isBlank(file));
  const fields = {
    ...Object.fromEntries((["id", ...names] as const).map((name) => [name, text(name)])),
    colors: [...form.colors, ...splitList(text("addColors") ?? "")],
    imageUrls: hasImage ? entries : NO_IMAGE,
    files,
  };
  return { ...fields, untouched: untouched(fields, text("was") ?? "{}") };
}

/**
 * The fields that hold what they held when the form was opened: what others changed meanwhile stays.
 *
 * @param was JSON of what they held
 */
function untouched(fields: Record<string, unknown>, was: string): string[] {
  try {
    const before = JSON.parse(was) as Record<string, unknown>;
    const same = (value: unknown) => JSON.stringify(value)?.replaceAll("\\r\\n", "\\n");
    return Object.keys(before).filter((name) => same(fields[name]) === same(before[name]));
  } catch {
    return [];
  }
}

/** The images that are kept: those whose places were changed stand where it was typed, the others around them. */
function inPlace(form: Entries): FormDataEntryValue[] {
  const places = form.place.map(Number);
  const typed = new Map(form.tile.map((tile, at) => [tile, { at: at + 1, to: places[at] || at + 1 }]));
  const kept = form.imageUrls.map((entry) => ({ entry, ...(typed.get(entry) ?? { at: 0, to: 0 }) }));
  const inOrder = kept.filter(({ at, to }) => at === to);
  const moved = kept.filter(({ at, to }) => at !== to).sort((a, b) => a.to - b.to);
  for (const image of moved) inOrder.splice(Math.max(0, image.to - 1), 0, image);
  return inOrder.map(({ entry }) => entry);
}
