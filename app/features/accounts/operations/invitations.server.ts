import { z } from "zod";
import { DAY_SECONDS } from "~/domain/durations";
import { recordFailure } from "~/features/incidents/operations.server";
import { Id, MessageAnswer, Time } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { emailKey, id, timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { fullName } from "~/session/caller.server";
import { randomToken, sha256 } from "~/session/tokens.server";
import {
  acceptInvitation,
  deleteInvitation,
  findInvitation,
  findInvitationOf,
  type Invitation,
  insertInvitation,
  renewInvitation,
} from "../invitations.queries.server";
import { sendInvitation } from "../mail.server";
import { emailTaken, newUser, rejectTakenEmail } from "../new-user.server";
import { hashPassword } from "../passwords.server";
import { AcceptInput, isResetToken } from "../schema";
import { INVITED_ROLES, InvitationInput, roleName } from "../users/schema";

/** Lifetime of an invitation, seconds. */
const INVITATION_SECONDS = 7 * DAY_SECONDS;

const InvitationAnswer = z.object({
  id: Id,
  email: z.string().meta({ examples: ["ines@mail.example"] }),
  firstName: z.string().meta({ examples: ["Ines"] }),
  lastName: z.string().meta({ examples: ["Carvalho"] }),
  roles: z.array(z.enum(INVITED_ROLES)),
  expiresAt: Time,
  isSent: z.boolean().meta({ description: "False where the mail could not be sent" }),
  link: z
    .string()
    .nullable()
    .meta({ description: "The mailed link, in a shop on localhost alone", examples: [null] }),
});
type InvitationAnswer = z.infer<typeof InvitationAnswer>;

/**
 * Invites a colleague by mail, who chooses a password by its link within 7 days.
 *
 * @throws AppError conflict (409) at `email` for an address that has an account or an open invitation
 */
export const inviteUser = operation({
  route: "POST user/invite",
  summary: "Invite a colleague by mail",
  answer: InvitationAnswer,
  errors: [409],
  access: "admin",
  forbidsKeys: true,
  input: InvitationInput,
  status: 201,
  async run({ input: { roles, ...person }, ...context }) {
    const { token, ...link } = await newLink(context.now);
    const row: Invitation = {
      ...{ ...person, ...link, id: crypto.randomUUID(), emailKey: emailKey(person.email) },
      isAdmin: roles.includes("admin"),
      isManager: roles.includes("manager"),
      isSeller: roles.includes("seller"),
      createdAt: context.now,
      invitedBy: context.user.id,
    };
    const obstacle = await insertInvitation(context.db, row);
    if (obstacle === "account") throw emailTaken();
    if (obstacle)
      throw fieldError("conflict", "email", "This address is invited already. Send its invitation again.");
    return mailed(context, row, token);
  },
});

const InvitationId = z.object({ id });

/** Sends an invitation again with another link, which ends the former one. @throws AppError notFound */
export const resendInvitation = operation({
  access: "admin",
  input: InvitationId,
  async run({ input, ...context }) {
    const { token, ...link } = await newLink(context.now);
    const row = await renewInvitation(context.db, input.id, { ...link, invitedBy: context.user.id });
    if (!row) throw noInvitation();
    return mailed(context, row, token);
  },
});

/** Takes an invitation back: its link ends. @throws AppError notFound for one that is gone or was accepted */
export const revokeInvitation = operation({
  route: "DELETE user/invite/:id",
  summary: "Take an invitation back",
  answer: MessageAnswer,
  access: "admin",
  forbidsKeys: true,
  input: InvitationId,
  async run({ input, db }) {
    if (!(await findInvitation(db, input.id)) || !(await deleteInvitation(db, input.id)))
      throw noInvitation();
    return { message: "Invitation revoked" };
  },
});

const noInvitation = () =>
  new AppError("notFound", "This invitation was accepted or revoked. Reload the page to see who is invited.");

async function newLink(now: number) {
  const token = randomToken();
  return { token, tokenHash: await sha256(token), expiresAt: now + INVITATION_SECONDS };
}

/** Builds the address by which an invitation is accepted. */
const invitationUrl = (shopUrl: string, token: string) => `${shopUrl}/resetPassword?invitation=${token}`;

/** Mails an invitation. */
async function mailed(
  { env, user, settings }: StaffContext,
  row: Invitation,
  token: string,
): Promise<InvitationAnswer> {
  const link = invitationUrl(settings.url, token);
  const invited = { ...row, role: roleName(row).toLowerCase(), by: fullName(user) };
  const isSent = await sendInvitation(env, settings, invited, link).then(
    () => true,
    async (error: unknown) => {
      await recordFailure(env, { kind: "mail", place: "Invitation of a colleague" }, error);
      return false;
    },
  );
  const { id: rowId, email, firstName, lastName, expiresAt } = row;
  return {
    ...{ id: rowId, email, firstName, lastName, expiresAt: timestamp(expiresAt), isSent },
    roles: rolesOf(row),
    link: new URL(settings.url).hostname === "localhost" ? link : null,
  };
}

const rolesOf = ({ isSeller, isManager, isAdmin }: Invitation) =>
  INVITED_ROLES.filter((role) => ({ seller: isSeller, manager: isManager, admin: isAdmin })[role]);

const UNKNOWN =
  "This invitation is not valid: it was used already, taken back, or sent again with a newer link. Ask who invited you.";
const EXPIRED = "This invitation has expired. Ask who invited you to send it again.";

/** Page of an invitation: whom it is for, or why it cannot be accepted. */
export type InvitationPage = { email: string; firstName: string; shop: string } | { problem: string };

/** Reads the invitation of a link. */
export async function readInvitation(context: RequestContext, token: string): Promise<InvitationPage> {
  const found = isResetToken(token) ? await findInvitationOf(context.db, await sha256(token)) : undefined;
  const problem = await problemOf(context, found);
  if (problem !== null || !found) return { problem: problem ?? UNKNOWN };
  return { email: found.email, firstName: found.firstName, shop: (await shopSettings(context)).name };
}

/** Says why an invitation cannot be accepted; null where it can. */
async function problemOf({ caller, now }: RequestContext, found?: Invitation): Promise<string | null> {
  if (!found) return UNKNOWN;
  if (found.expiresAt <= now) return EXPIRED;
  const user = await caller.user();
  if (!user) return null;
  return `This invitation is for ${found.email}, and you are signed in as ${user.email}. Sign out first.`;
}

/**
 * Creates the account of an invited person with the password that they chose.
 *
 * @throws AppError invalid (400) for a link that has ended and for a weak password; conflict (409) for a caller who is signed
 * in, and when the address has an account by now
 */
export const acceptByLink = operation({
  access: "anyone",
  input: AcceptInput,
  hidesCost: true,
  async run({ input, ...context }) {
    const { db, now, user } = context;
    const tokenHash = await sha256(input.token);
    const found = await findInvitationOf(db, tokenHash);
    const problem = await problemOf(context, found);
    if (!found || problem !== null)
      throw new AppError(user && found ? "conflict" : "invalid", problem ?? UNKNOWN);
    const account = newUser({ ...found, phoneNumber: "" }, await hashPassword(input.password), now);
    if (!(await rejectTakenEmail(acceptInvitation(db, tokenHash, account))))
      throw new AppError("invalid", UNKNOWN);
    return { message: "Welcome. Sign in with your new password." };
  },
});
