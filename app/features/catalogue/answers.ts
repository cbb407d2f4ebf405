import { z } from "zod";
import { Count, Dollars, Id, Time } from "~/http/answers";
import { PRODUCT } from "./product";
import { UNIT } from "./units";

const Options = z.record(z.string(), z.string()).meta({ examples: [{ Colour: "Moss" }] });

const Unit = z
  .object({
    id: Id,
    options: Options,
    ...UNIT.answers,
    price: Dollars,
    stock: Count,
    available: Count,
    image: z.string().meta({ description: "Its own picture, empty without one", examples: [""] }),
  })
  .meta({ id: "Unit" });

export const Product = z
  .object({
    id: Id,
    productId: Id,
    ...PRODUCT.answers,
    available: Count.meta({ description: "Stock without what is on hold" }),
    options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).meta({
      description: "Choices whose stock is counted each",
      examples: [[{ name: "Colour", values: ["Moss", "Sand"] }]],
    }),
    units: z
      .array(Unit)
      .meta({ description: "What is counted and sold: one unit where there are no options" }),
    createdAt: Time,
  })
  .meta({ id: "Product" });

/** Unit that a code finds, with what its product gives it. */
export const FoundUnit = z
  .object({
    unitId: Id,
    productId: Id,
    name: PRODUCT.answers.name,
    category: PRODUCT.answers.category,
    choice: z.string().meta({ description: "Its values, empty for the unit of a product without options" }),
    options: Options,
    ...UNIT.answers,
    price: Dollars,
    stock: Count,
    available: Count,
    image: z.string(),
  })
  .meta({ id: "FoundUnit" });

export const Suggestions = z.object({
  products: z.array(
    z.object({
      id: Id,
      name: PRODUCT.answers.name,
      price: Dollars,
      isFrom: z.boolean().optional().meta({ description: "Some of its units cost more" }),
      image: z.string(),
      available: Count,
      category: z.string(),
      missing: z
        .array(z.string())
        .optional()
        .meta({ description: "Words that it lacks, where no product has all words" }),
    }),
  ),
  categories: z.array(z.object({ category: z.string(), name: z.string(), products: Count })),
  price: z
    .object({ label: z.string(), without: z.string() })
    .optional()
    .meta({ description: "Price that was read from the search, and the search without it" }),
});
