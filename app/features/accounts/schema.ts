import { z } from "zod";
import { email, flag, id, isNewEmail, listWindow, optionalText, password, requiredText } from "~/http/fields";
import { fullName, personName } from "~/http/person-name";

/** The rules of accounts and their words (spec 5; back office 5). Browser and server check by the same ones. */

/** Shortest password of a customer (spec 9). */
const PASSWORD_LENGTH = 6;
const PHONE_LENGTH = 40;
const PASSWORD_NEEDED = "Current password is required";
const TOO_SHORT = `Password must be at least ${PASSWORD_LENGTH} characters`;

const digits = (text: string) => text.replace(/\D/g, "").length;
const blankAsAbsent = (value: unknown) =>
  value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;

/** A password that is being chosen. */
const chosenPassword = (required: string) => password(required).min(PASSWORD_LENGTH, TOO_SHORT);

/**
 * The rule that a password was typed twice alike, to be added with `.and`: so it is told beside whatever else
 * is wrong. A password that may be left out is one that need not be typed twice either.
 *
 * @param first name of the password's field
 * @param message when they differ
 * @param blankIsRight whether a second one that is blank is left to its own field's rule
 */
function typedTwice(first: string, message: string, blankIsRight = true) {
  const rule = ({ [first]: once, confirmPassword: twice }: Record<string, unknown>) =>
    !once || (blankIsRight && !twice) || once === twice;
  const optional = z.unknown().optional();
  return z
    .object({ [first]: optional, confirmPassword: optional })
    .refine(rule, { path: ["confirmPassword"], message })
    .transform(() => ({}));
}

/** Sign in: whether the address looks like one is not asked, it is known or not. */
export const SignInInput = z.object({
  email: requiredText("Email is required", 254),
  password: password("Password is required"),
  rememberMe: flag.optional(),
});

const newcomer = {
  firstName: personName("First name is required"),
  lastName: personName("Last name is required"),
  email: email(),
  password: chosenPassword("Password is required"),
};
const username = requiredText("Username is required").min(3, "Username must be at least 3 characters");
const tenDigits = requiredText("Phone number is required", PHONE_LENGTH).refine(
  (text) => digits(text) === 10,
  "Phone number must be 10 digits",
);

/** Sign up through the API: username and phone may be left out. */
export const SignUpInput = z.object({
  ...newcomer,
  username: z.preprocess(blankAsAbsent, username.optional()).optional(),
  phone: z.preprocess(blankAsAbsent, tenDigits.optional()).optional(),
});
export type NewAccount = z.infer<typeof SignUpInput>;

/** Sign up on the page: everything is asked for. */
export const SignUpForm = z
  .object({
    ...newcomer,
    username,
    phone: tenDigits,
    confirmPassword: password("Please confirm your password"),
    agreeToTerms: z
      .unknown()
      .refine(
        (value) => value === "on" || value === "true" || value === true,
        "You must agree to the terms and conditions",
      ),
  })
  .and(typedTwice("password", "Passwords do not match"));

export const ForgotPasswordInput = z.object({ email: email() });

/** What a reset link's token looks like; any other was never sent. */
const RESET_TOKEN = /^[\w-]{20,100}$/;

/** Whether a token can be one that was sent. */
export const isResetToken = (token: string) => RESET_TOKEN.test(token);

/** Set a new password by a reset link. Staff accounts' stricter rule is the server's to check. */
export const ResetPasswordInput = z
  .object({
    token: requiredText("The reset link is missing", 200),
    password: chosenPassword("Password is required"),
    confirmPassword: password("Please confirm your password"),
  })
  .and(typedTwice("password", "Passwords do not match"));

const profileName = personName("This field is required")
  .min(2, "Name must be at least 2 characters long")
  .regex(/^[\p{L}\p{M} '’-]+$/u, "Name can only contain letters, spaces, hyphens, and apostrophes");

const profile = {
  firstName: profileName,
  lastName: profileName,
  email: email(),
  phoneNumber: optionalText(PHONE_LENGTH).refine(
    (text) => text === "" || (digits(text) >= 10 && digits(text) <= 15),
    "Phone number must be between 10-15 digits",
  ),
};

/** Roles and the active flag; undefined stays as it was. */
const flags = { isManager: flag.optional(), isAdmin: flag.optional(), isUser: flag.optional() };

/** Asked for where the e-mail address changes; blank is none. */
const currentPassword = z.preprocess(blankAsAbsent, password(PASSWORD_NEEDED).optional()).optional();

/**
 * Rule that a change of one's own address comes with the password, to be added with `.and`.
 *
 * @param stored the address as it is
 */
function passwordForNewEmail(stored: string) {
  const optional = z.unknown().optional();
  return z
    .object({ email: optional, currentPassword: optional })
    .refine(
      ({ email, currentPassword }) =>
        !isNewEmail(email, stored) || blankAsAbsent(currentPassword) !== undefined,
      {
        path: ["currentPassword"],
        message: PASSWORD_NEEDED,
      },
    )
    .transform(() => ({}));
}

/**
 * The profile form of /account.
 *
 * @param stored the e-mail address as it is
 */
export const profileForm = (stored: string) =>
  z.object({ ...profile, currentPassword }).and(passwordForNewEmail(stored));

/**
 * PUT user/{id} by the person: what is missing stays as it was.
 *
 * @param stored the e-mail address as it is
 */
export const profileInput = (stored: string) =>
  z
    .object({ ...z.object(profile).partial().shape, ...flags, currentPassword })
    .and(passwordForNewEmail(stored));

const passwordChange = {
  currentPassword: password(PASSWORD_NEEDED),
  newPassword: chosenPassword("New password is required"),
};

/** The password form of /account. */
export const ChangePasswordForm = z
  .object({ ...passwordChange, confirmPassword: password("Please confirm your password") })
  .and(typedTwice("newPassword", "Passwords do not match"));

/** PUT user/change-password: the address, where it is given, must be the caller's own. */
export const ChangePasswordInput = z
  .object({
    ...passwordChange,
    confirmPassword: password("Please confirm your password").optional(),
    email: z.preprocess(blankAsAbsent, email().optional()).optional(),
  })
  .and(typedTwice("newPassword", "Passwords do not match"));

/** At least 8 characters with a digit, a lowercase, an uppercase and one of @$!%*?& (back office 5). */
const STRONG = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[@$!%*?&]).{8,}$/s;
export const STAFF_PASSWORD_MESSAGE = "Password does not meet requirements.";

/** Whether a password is good enough for those who run the shop. */
export const isStaffPassword = (text: string) => STRONG.test(text);

const strongPassword = password("Password is required").refine(isStaffPassword, STAFF_PASSWORD_MESSAGE);
const STAFF_PHONE = /^\+?[\d ()-]{7,20}$/;

const staffFields = {
  email: email("Email is required", "Enter a valid email address."),
  phoneNumber: optionalText(PHONE_LENGTH).refine(
    (text) => text === "" || (STAFF_PHONE.test(text) && text.length <= 20),
    "Enter a valid phone number.",
  ),
};
const MISMATCH = "Passwords do not match.";

/** POST user: an account that staff make. The name comes joined and is split at its first space. */
export const NewUserInput = z
  .object({
    ...staffFields,
    fullName: fullName("First and last name are required"),
    password: strongPassword,
    confirmPassword: password("Passwords do not match."),
    isManager: flag.default(false),
    isAdmin: flag.default(false),
  })
  .and(typedTwice("password", MISMATCH));

/** The form that makes an account: the names come apart (back office 5, Admin user form). */
export const NewUserForm = z
  .object({
    ...staffFields,
    firstName: personName("First name is required"),
    lastName: personName("Last name is required"),
    password: strongPassword,
    confirmPassword: password("Passwords do not match."),
    isManager: flag.default(false),
    isAdmin: flag.default(false),
  })
  .and(typedTwice("password", MISMATCH));

/** What the form that edits somebody asks for; the address is locked and roles are checkboxes. */
export const EditUserForm = z.object({
  firstName: personName("First name is required"),
  lastName: personName("Last name is required"),
  phoneNumber: staffFields.phoneNumber,
  ...flags,
});

/** PUT user/{id} by staff: what is missing stays as it was; a blank password does too. */
export const StaffChangesInput = z
  .object({
    ...z
      .object({
        ...staffFields,
        firstName: personName("First name is required"),
        lastName: personName("Last name is required"),
      })
      .partial().shape,
    ...flags,
    password: z.preprocess(blankAsAbsent, strongPassword.optional()).optional(),
    confirmPassword: z.preprocess(blankAsAbsent, z.string({ error: "Must be text" }).optional()).optional(),
  })
  .and(typedTwice("password", MISMATCH, false));
export type StaffChanges = z.infer<typeof StaffChangesInput>;

/** GET user/all. */
export const UserListInput = z.object(listWindow);

/** A user named by the path; the rest is checked once it is known who is asking. */
export const UserPathInput = z.looseObject({ id });
