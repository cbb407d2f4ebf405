import { z } from "zod";
import type { products } from "~/db/schema";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { categoryFrom } from "~/domain/category-rule";
import { MAX_STOCK, SHOP_LOW_STOCK } from "~/domain/stock-levels";
import { clientId, id, optional, requiredText } from "~/http/fields";
import {
  choiceField,
  customField,
  flagField,
  listField,
  moneyField,
  numberField,
  richTextField,
  textField,
} from "~/records/fields";
import { type FieldsOf, type NamesOf, type RowOf, recordOf } from "~/records/record";
import { MAX_ENGRAVING } from "./engraving";
import { PlateAnswer, platesOf } from "./plate-schema";
import { imageEntry, priceRule } from "./product-rules";
import { OptionsRule, UnitsRule } from "./units";

export const MAX_NAME_LENGTH = 200;
export const MAX_DESCRIPTION_LENGTH = 20_000;
/** Maximum number of tags in a description, which bounds the time of sanitising. */
export const MAX_TAGS = 500;
export const MAX_TAGS_MESSAGE = `Must have at most ${MAX_TAGS} tags`;
export const MAX_COLOR_LENGTH = 60;

export const MAX_LENGTH_MESSAGE = `Must be at most ${MAX_DESCRIPTION_LENGTH.toLocaleString("en")} characters`;

/** Control characters other than tabs and line breaks. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** HTML that the server sanitises. */
const description = z.preprocess(
  (value) => value ?? "",
  z
    .string({ error: "Must be text" })
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, MAX_LENGTH_MESSAGE)
    .refine((text) => text.split("<", MAX_TAGS + 2).length <= MAX_TAGS + 1, {
      error: MAX_TAGS_MESSAGE,
      when: ({ issues }) => issues.length === 0,
    })
    .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Contains characters that are not allowed"),
);

const category = categoryFrom((issue) =>
  issue.input === undefined ? "Category is required" : "Must be text",
);

/** Example of engraving plates, of the first image of the example. */
const PLATES = {
  "https://example.com/board-1.jpg": {
    ...{ x: 0.3, y: 0.45, width: 0.4, height: 0.1, angle: 0 },
    ...{ tone: "burnt", lines: [14, 14] },
  },
};

type ProductFields = FieldsOf<
  typeof products,
  | "row"
  | "id"
  | "nameKey"
  | "sortKey"
  | "searchText"
  | "searchName"
  | "searchDescription"
  | "searchColors"
  | "imageAlts"
  | "shuffle"
  | "createdAt"
  | "updatedAt"
  | "held"
  | "stockChange"
  | "options"
  | "baseCents"
>;

/** Creates the field of a whole number that may be left out, for that of the settings. */
function lowStockField(options: Parameters<typeof numberField<undefined>>[0]) {
  const field = numberField(options);
  const isOwn = (pieces: number) => pieces !== SHOP_LOW_STOCK;
  return {
    ...field,
    rule: z
      .preprocess(
        (value) => value ?? "",
        z.union([z.literal("").transform(() => SHOP_LOW_STOCK), field.rule]),
      )
      .meta({
        override: { type: ["integer", "null"], minimum: options.min, maximum: options.max, examples: [3] },
      }),
    answer: field.answer.optional().meta({
      description: "Pieces up to which it is low, where it isn't the number of the settings",
      examples: [3],
    }),
    blank: "",
    toApi: (pieces: number) => (isOwn(pieces) ? pieces : undefined),
    toForm: (pieces: number) => (isOwn(pieces) ? String(pieces) : ""),
    toText: (pieces: number) => (isOwn(pieces) ? field.toText(pieces) : "that of the settings"),
    toCell: (pieces: number) => (isOwn(pieces) ? pieces : ""),
  };
}

/** Fields of a product that spreadsheets have too, in the order of their columns. */
export const PRODUCT_SHEET = recordOf({
  name: textField({
    label: "Name",
    max: MAX_NAME_LENGTH,
    required: "Name is required",
    isSearched: true,
    audit: "value",
    example: "Walnut cutting board",
    synonyms: `productname product title titel titre titulo titolo produkt produktname artikelname producttitle item
      itemname artikel bezeichnung nom nomduproduit nomproduit nombre nombredelproducto nome nomedelprodotto`,
  }),
  description: richTextField({
    label: "Description",
    rule: description,
    isSearched: true,
    audit: "fact",
    example: "<p>Hand-finished, 40 × 28 cm</p>",
    synonyms: `text details body bodyhtml descriptionhtml longdescription productdescription produktbeschreibung artikelbeschreibung
      beschreibung descripcion descrizione omschrijving`,
  }),
  // Synonyms of the price: app/features/product-import/price-column.ts.
  priceCents: moneyField({
    name: "price",
    label: "Price",
    ruleOf: priceRule,
    isAboveZero: true,
    blank: "",
    width: 2,
    example: "64.00",
  }),
  stock: numberField({
    label: "Stock",
    min: 0,
    max: MAX_STOCK,
    missing: 0,
    width: 2,
    example: "12",
    synonyms: `qty quantity inventory inventoryqty onhand instock stockquantity bestand menge lager lagerbestand anzahl
      stueck stuck quantite quantita cantidad existencias giacenza voorraad aantal`,
  }),
  category: choiceField(CATEGORIES, {
    label: "Category",
    nameOf: categoryName,
    rule: category,
    isSearched: true,
    width: 2,
    example: "HOME_DECOR",
    synonyms: "categories type producttype productcategory department kategorie categorie categoria",
  }),
  colors: listField({
    label: "Colors",
    entry: requiredText("Required", MAX_COLOR_LENGTH),
    items: "colors",
    isSearched: true,
    keyOf: (color) => color.toLowerCase(),
    example: "Walnut, Oak",
    synonyms: "color colour colours farbe farben couleur couleurs colore colori kleur kleuren colores",
  }),
  hasEngraving: flagField({
    label: "Engraving",
    caption: `Can be engraved: shoppers may add up to ${MAX_ENGRAVING} characters`,
    example: "yes",
    synonyms: "engraving engraved engravable gravur gravierbar gravure",
  }),
  imageUrls: listField({
    label: "Images",
    entry: imageEntry,
    items: "images",
    audit: "fact",
    toText: (images) => String(images.length),
    toCell: (images) => images.join(", "),
    example: "https://example.com/board-1.jpg, https://example.com/board-2.jpg",
    synonyms: `imageurl images image photo photos picture pictures imagesrc imagelinks bilder bild imagelink immagine
      immagini imagen imagenes afbeelding afbeeldingen picurl`,
  }),
  isHidden: {
    ...flagField({
      label: "Hidden",
      caption: "Hidden: shoppers find it nowhere; you can still sell it",
      example: "no",
      synonyms: "ishidden",
    }),
    answer: z.boolean().optional().meta({ description: "Hidden from shoppers; only there where it is true" }),
    toApi: (isHidden: boolean) => isHidden || undefined,
  },
  lowStock: lowStockField({
    label: "Low stock",
    isMarkedOptional: true,
    hint: "Counts as low at so many pieces or fewer. Empty: the number of the settings.",
    min: 0,
    max: MAX_STOCK,
    missing: SHOP_LOW_STOCK,
    example: "3",
    synonyms: `lowstock lowstockamount lowstockthreshold reorderlevel reorderpoint minimumstock minstock stockalert
      mindestbestand meldebestand stockminimum`,
  }),
} satisfies Partial<ProductFields>);

/** Name of a field in spreadsheets, forms and the API. */
export type ProductField = NamesOf<typeof PRODUCT_SHEET.fields>;

/** Columns of a spreadsheet, in its order. */
export const FIELDS = PRODUCT_SHEET.columns.map(({ name }) => name) as readonly ProductField[];

/** Fields of a product; an import keeps those that spreadsheets lack. */
export const PRODUCT = recordOf({
  ...PRODUCT_SHEET.fields,
  optionLabel: {
    ...textField({
      audit: "value",
      label: "Label of the choice",
      hint: "Leave it empty for Colour, or name it: Material, Size, …",
      max: 30,
      input: { placeholder: "Colour" },
      missing: "",
      width: 6,
      example: "Material",
    }),
    answer: z
      .string()
      .optional()
      .meta({ description: "Name of the choice where it isn't Colour", examples: ["Material"] }),
    toApi: (label: string) => label || undefined,
  },
  plates: customField({
    label: "Engraving plates",
    // Those of other images than the product's own have no effect.
    rule: platesOf(imageEntry).meta({ override: { examples: [PLATES] } }),
    answer: z
      .record(z.string(), PlateAnswer)
      .meta({ description: "Engraving plates by image, as shares of the picture", examples: [PLATES] }),
    missing: {},
    audit: "fact",
  }),
} satisfies ProductFields);

/** Content of a product, by column. */
export type ProductContent = RowOf<typeof PRODUCT.fields>;

/** Returns the fields as the API answers them. @param urlOf URL of an image's entry */
export const apiFields = (row: ProductContent, urlOf: (entry: string) => string) =>
  PRODUCT.apiValues({
    ...row,
    imageUrls: row.imageUrls.map(urlOf),
    plates: Object.fromEntries(Object.entries(row.plates).map(([entry, plate]) => [urlOf(entry), plate])),
  });

export const newProductId = clientId({
  names: ["acts", "all", "bulk-upload", "categories", "category", "code", "id", "random", "suggest"],
});

/** Options of a product and its units; sent without them, nothing about them changes. */
const unitRules = { options: OptionsRule.optional(), units: UnitsRule.optional() };

/** POST product; name, price and category are required. */
export const NewProductInput = z.object({
  id: newProductId,
  ...PRODUCT.newRules,
  stock: optional(PRODUCT.rules.stock).default(0),
  ...unitRules,
});
export type NewProduct = z.output<typeof NewProductInput>;

/** PUT product/{id}; missing fields stay unchanged. */
export const ProductChangesInput = z.object({
  id,
  /** Stock that the caller saw; an edit of the stock is refused when it has changed. */
  stockWas: PRODUCT.rules.stock.optional(),
  /** Pieces on hold that the caller saw; a stock below what is on hold is refused when more are. */
  heldWas: PRODUCT.rules.stock.optional(),
  /** Values of fields that the caller saw; an edit of one of them is refused when somebody else has changed it. */
  was: z
    .looseObject({ stock: PRODUCT.rules.stock.nullish() })
    .meta({ override: { examples: [{ price: 24.5 }] } })
    .optional(),
  ...z.object(PRODUCT.rules).partial().shape,
  ...unitRules,
});
export type ProductChanges = z.output<typeof ProductChangesInput>;

export const ProductPathInput = z.object({ id });
