import { z } from "zod";
import { Id } from "~/http/answers";

export const Favourite = z.object({ productId: Id, isFavourite: z.boolean() });
