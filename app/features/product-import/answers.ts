import { z } from "zod";
import { Count } from "~/http/answers";

export const ImportAnswer = z.object({
  message: z.string(),
  created: Count,
  updated: Count,
  errors: Count,
  errorDetails: z.array(z.object({ row: z.int(), product: z.string(), error: z.string() })),
  notes: z.array(z.object({ row: z.int(), product: z.string(), note: z.string() })).optional(),
});
