import { z } from "zod";
import { Id, Time } from "~/http/answers";

export const User = z
  .object({
    id: Id,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string(),
    isManager: z.boolean(),
    isAdmin: z.boolean(),
    isUser: z.boolean().meta({ description: "Active" }),
    photoURL: z.string(),
    createdAt: Time,
  })
  .meta({ id: "User" });

export const SignedIn = z.object({ token: z.string(), user: User });
