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

const SubjectFields = z.object({ customer: id.optional(), chat: id.optional() });

/** Planned deletion that staff cancel. */
export const CancelInput = z.object({ plan: id });

/** Planned deletions on the page of a person: those that are due first. */
export const MAX_PLANS = 3;

/** Requires exactly one subject: of two, the page would show one and the form change the other. */
const hasOneSubject = ({ customer, chat }: z.infer<typeof SubjectFields>) =>
  (customer === undefined) !== (chat === undefined);
const ONE_SUBJECT = "Name either a customer or a chat";

/** Customer or chat that a page of staff is about. */
export const SubjectInput = SubjectFields.refine(hasOneSubject, ONE_SUBJECT);

/** Deletion that an admin confirms; `person` identifies the person that the page showed. */
export const ConfirmedSubject = SubjectFields.extend({
  person: z.string().max(200),
  confirmed: z.literal("on", { error: "Please confirm that the person wants this" }),
}).refine(hasOneSubject, ONE_SUBJECT);
