import { z } from "zod";

/** Stored file as messages and answers name it; of a picture that the shop has stored anew, the sizes are in px. */
export const FileCard = z.strictObject({
  type: z.literal("file"),
  key: z.string(),
  /** Name that the sender gave it. */
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
});
export type FileCard = z.infer<typeof FileCard>;
