import { z } from "zod";
import {
  EXAMPLES,
  email,
  flag,
  id,
  isNewEmail,
  listWindow,
  optionalPhone,
  password,
  personName,
  requiredPhone,
  requiredText,
} from "~/http/fields";

// Account fields with their messages (docs/product.md, 4.2), shared by browser and server.

/** Minimum length of a customer's password. */
const MIN_PASSWORD_LENGTH = 6;
export const CURRENT_PASSWORD_REQUIRED = "Current password is required";
const MISMATCH = "Passwords do not match";
const PASSWORD_TOO_SHORT = `Password must be at least ${MIN_PASSWORD_LENGTH} characters`;

const digitCount = (text: string) => text.replace(/\D/g, "").length;
const blankToUndefined = (value: unknown) =>
  value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;

/** Optional value: blank text is missing. */
export const missingWhenBlank = <Rule extends z.ZodType>(rule: Rule) =>
  z.preprocess(blankToUndefined, rule.optional()).optional();

const newPassword = (required: string) => password(required).min(MIN_PASSWORD_LENGTH, PASSWORD_TOO_SHORT);

/** Output of the second side of `.and`: zod throws where the two sides differ. */
const NOTHING_TO_MERGE = {};

/**
 * Requires a password and its confirmation to be equal. Added with `.and`, it reports beside errors of other fields. An
 * omitted password needs no confirmation.
 *
 * @param allowsBlank leaves a blank confirmation to the rule of its own field
 */
export function passwordsMatch(name: string, message: string, allowsBlank = true) {
  const anything = z.unknown().optional();
  return z
    .object({ [name]: anything, confirmPassword: anything })
    .transform(({ [name]: password, confirmPassword: confirmation }, context) => {
      if (password && !(allowsBlank && !confirmation) && password !== confirmation)
        context.addIssue({ code: "custom", path: ["confirmPassword"], message });
      return NOTHING_TO_MERGE;
    });
}

/** Sign-in; the format of the address does not matter, since an account has it or not. */
export const SignInInput = z.object({
  email: requiredText("Email is required", 254).meta({ examples: [EXAMPLES.email] }),
  password: password("Password is required"),
  rememberMe: flag.optional(),
});

/** Sign-in through the API, whose one call has the code of a second factor too. */
export const SignInCallInput = SignInInput.extend({
  code: missingWhenBlank(requiredText("Code is required", 40)).meta({
    description: "Of the authenticator or for recovery, where the account has a second factor",
    examples: ["492039"],
  }),
});

/** Stored values of an account: a name or phone number that was entered by other rules may stay. */
interface Stored {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
}
export const NOTHING_STORED: Stored = { firstName: "", lastName: "", email: "", phoneNumber: "" };

const NAME = /^[\p{L}\p{M} '\u2018\u2019\u2010\u2011-]+$/u;

/** Name of the profile. @param stored may stay */
const profileName = (stored: string) =>
  personName("This field is required")
    .refine((name) => name === stored || name.length >= 2, "Name must be at least 2 characters long")
    .refine(
      (name) => name === stored || NAME.test(name),
      "Name can only contain letters, spaces, hyphens, and apostrophes",
    );

/** Names at sign-up, and of staff's form. */
export const nameFields = {
  firstName: personName("First name is required").meta({ examples: [EXAMPLES.firstName] }),
  lastName: personName("Last name is required").meta({ examples: [EXAMPLES.lastName] }),
};
const newAccountFields = {
  ...nameFields,
  email: email(),
  password: newPassword("Password is required"),
};
const username = requiredText("Username is required").min(3, "Username must be at least 3 characters");
const tenDigits = requiredPhone().refine((text) => digitCount(text) === 10, "Phone number must be 10 digits");

/** Sign-up through the API; username and phone are optional. */
export const SignUpInput = z.object({
  ...newAccountFields,
  username: missingWhenBlank(username),
  phone: missingWhenBlank(tenDigits),
});
export type NewAccount = z.infer<typeof SignUpInput>;

/** Sign-up form of the page; every field is required. */
export const SignUpForm = z
  .object({
    ...newAccountFields,
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
  .and(passwordsMatch("password", MISMATCH));

export const ForgotPasswordInput = z.object({ email: email() });

export const isResetToken = (token: string) => /^[\w-]{20,100}$/.test(token);

/** New password by a reset link. The server checks the stricter rule of staff accounts. */
export const ResetPasswordInput = z
  .object({
    token: requiredText("The reset link is missing", 200),
    password: newPassword("Password is required"),
    confirmPassword: password("Please confirm your password"),
  })
  .and(passwordsMatch("password", MISMATCH));

const profileFields = ({ firstName, lastName, phoneNumber }: Stored) => ({
  firstName: profileName(firstName),
  lastName: profileName(lastName),
  email: email(),
  phoneNumber: optionalPhone().refine(
    (text) => text === "" || text === phoneNumber || (digitCount(text) >= 10 && digitCount(text) <= 15),
    "Phone number must be between 10-15 digits",
  ),
});

/** Roles and active flag; undefined leaves one unchanged. */
export const roleFlags = {
  isSeller: flag.optional(),
  isManager: flag.optional(),
  isAdmin: flag.optional(),
  isUser: flag.optional(),
};

/** Required for a new e-mail address; blank is undefined. */
const currentPassword = missingWhenBlank(password(CURRENT_PASSWORD_REQUIRED));

/** Requires the current password for a new e-mail address. Added with `.and`. @param stored current address */
function passwordForNewEmail(stored: string) {
  const anything = z.unknown().optional();
  return z
    .object({ email: anything, currentPassword: anything })
    .transform(({ email, currentPassword }, context) => {
      if (isNewEmail(email, stored) && blankToUndefined(currentPassword) === undefined)
        context.addIssue({ code: "custom", path: ["currentPassword"], message: CURRENT_PASSWORD_REQUIRED });
      return NOTHING_TO_MERGE;
    });
}

/** Profile form of /account. */
export const profileForm = (stored: Stored) =>
  z.object({ ...profileFields(stored), currentPassword }).and(passwordForNewEmail(stored.email));

/** PUT user/{id} of the own account; missing fields stay unchanged. */
export const profileInput = (stored: Stored) =>
  z
    .object({ ...z.object(profileFields(stored)).partial().shape, ...roleFlags, currentPassword })
    .and(passwordForNewEmail(stored.email));

const passwordChange = {
  currentPassword: password(CURRENT_PASSWORD_REQUIRED),
  newPassword: newPassword("New password is required"),
};

export const ChangePasswordForm = z
  .object({ ...passwordChange, confirmPassword: password("Please confirm your password") })
  .and(passwordsMatch("newPassword", MISMATCH));

/** PUT user/change-password; `email` is optional and must be the caller's own. */
export const ChangePasswordInput = z
  .object({
    ...passwordChange,
    confirmPassword: password("Please confirm your password").optional(),
    email: missingWhenBlank(email()),
  })
  .and(passwordsMatch("newPassword", MISMATCH));

/** At least 8 characters with a digit, a lower-case and an upper-case letter and one of @$!%*?&. */
const STRONG = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[@$!%*?&]).{8,}$/s;
export const STAFF_PASSWORD_MESSAGE = "Password does not meet requirements.";

/** Checks the stricter password rule of staff accounts. */
export const isStaffPassword = (text: string) => STRONG.test(text);

export const strongPassword = password("Password is required").refine(
  isStaffPassword,
  STAFF_PASSWORD_MESSAGE,
);

/** Form by which an invited person chooses a password. */
export const AcceptInput = z
  .object({
    token: requiredText("The invitation is missing", 200),
    password: strongPassword,
    confirmPassword: password(MISMATCH),
  })
  .and(passwordsMatch("password", MISMATCH));

export const UserListInput = z.object(listWindow);

/** Id from the path; the other fields are checked by the rules for the caller's role. */
export const UserPathInput = z.looseObject({ id });
