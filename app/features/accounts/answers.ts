import { z } from "zod";
import { Id, Time } from "~/http/answers";
import { USER } from "./users/user";

export const User = z
  .object({
    id: Id,
    ...USER.answers,
    photoURL: z.string(),
    createdAt: Time,
  })
  .meta({ id: "User" });

export const SignedIn = z.object({ token: z.string(), user: User });
