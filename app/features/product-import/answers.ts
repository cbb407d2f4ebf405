import { z } from "zod";
import { Count, Id } from "~/http/answers";

export const ImportAnswer = z.object({
  message: z.string(),
  runId: Id.meta({ description: "Run that stored the file, by which it can be taken back" }),
  created: Count,
  updated: Count,
  errors: Count,
  errorDetails: z.array(z.object({ row: z.int(), product: z.string(), error: z.string() })),
  notes: z.array(z.object({ row: z.int(), product: z.string(), note: z.string() })).optional(),
});
