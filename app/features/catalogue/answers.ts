import { z } from "zod";
import { Count, Dollars, Id, Time } from "~/http/answers";
import { PRODUCT } from "./product";

export const Product = z
  .object({
    id: Id,
    productId: Id,
    ...PRODUCT.answers,
    available: Count.meta({ description: "Stock without what is on hold" }),
    createdAt: Time,
  })
  .meta({ id: "Product" });

export const Suggestions = z.object({
  products: z.array(
    z.object({
      id: Id,
      name: PRODUCT.answers.name,
      price: Dollars,
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
