import { z } from "zod";
import { AnyId, Count, Id, Time } from "~/http/answers";

export const Movement = z
  .object({
    id: Id,
    productId: Id,
    unitId: Id,
    choice: z.string().meta({ description: "Values of the unit as they were; empty without options" }),
    quantity: z.int().meta({ description: "Signed" }),
    reason: z.enum(["opening", "adjustment", "import", "sale", "return"]),
    actor: z.string(),
    documentId: AnyId,
    stockAfter: Count,
    createdAt: Time,
  })
  .meta({ id: "Movement" });
