import { z } from "zod";
import { Id, Time } from "~/http/answers";
import { EXAMPLES } from "~/http/fields";

export const User = z
  .object({
    id: Id,
    firstName: z.string().meta({ examples: [EXAMPLES.firstName] }),
    lastName: z.string().meta({ examples: [EXAMPLES.lastName] }),
    email: z.string().meta({ examples: [EXAMPLES.email] }),
    phoneNumber: z.string().meta({ examples: [EXAMPLES.phone] }),
    isManager: z.boolean(),
    isAdmin: z.boolean(),
    isUser: z.boolean().meta({ description: "Active" }),
    photoURL: z.string(),
    createdAt: Time,
  })
  .meta({ id: "User" });

export const SignedIn = z.object({ token: z.string(), user: User });
