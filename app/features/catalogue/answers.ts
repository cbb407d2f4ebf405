import { z } from "zod";
import { Count, Dollars, Id, Time } from "~/http/answers";

export const Product = z
  .object({
    id: Id,
    productId: Id,
    name: z.string(),
    description: z.string().meta({ description: "HTML" }),
    price: Dollars,
    stock: Count,
    available: Count.meta({ description: "Stock without what is on hold" }),
    category: z.string(),
    colors: z.array(z.string()),
    hasEngraving: z.boolean().meta({ description: "Words can be engraved" }),
    imageUrls: z.array(z.string()),
    optionLabel: z.string().optional().meta({ description: "Name of the choice where it isn't Colour" }),
    plates: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Engraving plates by image, as shares of the picture" }),
    createdAt: Time,
  })
  .meta({ id: "Product" });

export const Suggestions = z.object({
  products: z.array(
    z.object({
      id: Id,
      name: z.string(),
      price: Dollars,
      image: z.string(),
      available: Count,
      missing: z
        .array(z.string())
        .optional()
        .meta({ description: "Words that it lacks, where no product has all words" }),
    }),
  ),
  categories: z.array(z.object({ category: z.string(), name: z.string(), products: Count })),
});
