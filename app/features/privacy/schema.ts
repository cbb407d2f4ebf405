import { z } from "zod";
import { CURRENT_PASSWORD_REQUIRED } from "~/features/accounts/schema";
import { id, password } from "~/http/fields";

/** Days between the request and the deletion, in which it can be cancelled. */
export const ERASURE_DAYS = 7;

/** Number up to which a person's chats and documents are counted; a regular has thousands. */
export const MAX_COUNTED = 10;

/** Form that asks for the password before a download or a deletion. */
export const PasswordForm = z.object({ currentPassword: password(CURRENT_PASSWORD_REQUIRED) });

/** Key of the download link; it is valid for the account that asked for it. */
export const DownloadInput = z.object({ key: z.string().max(100).default("") });

/** Mailed link that cancels a deletion: the id of the deletion and a key, joined by `~`. */
export const CancelLinkInput = z.object({ keep: z.string().max(200) });

const Named = z.object({ customer: id.optional(), chat: id.optional() });

/** Planned deletion that staff cancel. */
export const CancelInput = z.object({ plan: id });

/** Planned deletions that the page of a person lists, the first that are due. */
export const MAX_PLANS = 3;

/** One name: those of two people would show one and change the other. */
const hasOneName = ({ customer, chat }: z.infer<typeof Named>) =>
  (customer === undefined) !== (chat === undefined);
const ONE_NAME = "Name either a customer or a chat";

/** Customer or chat that a page of staff is about. */
export const SubjectInput = Named.refine(hasOneName, ONE_NAME);

/** Deletion that an admin confirms; `person` is whom the page has shown. */
export const ConfirmedSubject = Named.extend({
  person: z.string().max(200),
  confirmed: z.literal("on", { error: "Please confirm that the person wants this" }),
}).refine(hasOneName, ONE_NAME);
