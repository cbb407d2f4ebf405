import { z } from "zod";
import { AppError } from "./errors";
import { operation } from "./operation.server";

/**
 * A staff route that stands behind its guard before what it does is there: 401 and 403 as ever, 501 for staff.
 */
export const notYet = operation({
  access: "staff",
  input: z.unknown(),
  maxBytes: 25 * 1024 * 1024,
  async run(): Promise<never> {
    throw new AppError("notImplemented", "This part of the shop is not open yet.");
  },
});
