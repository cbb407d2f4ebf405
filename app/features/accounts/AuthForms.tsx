import type { ComponentProps, ReactNode } from "react";
import type { ZodType } from "zod";
import { Checkbox, EmailField, Field, FormError, PasswordField } from "~/ui/Field";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useCheckedForm, useFailureToast } from "~/ui/useCheckedForm";
import lamp from "./auth-page.webp?url";
import { FactorCodeForm } from "./factor/schema";
import {
  AcceptInput,
  ForgotPasswordInput,
  ResetPasswordInput,
  SignInInput,
  SignUpForm as SignUpSchema,
} from "./schema";

interface AuthPageProps {
  title: string;
  children: ReactNode;
  /** Links below the form. */
  foot: ReactNode;
}

/** Frame of the sign-in, sign-up and password reset pages: the form beside a picture. */
export function AuthPage({ title, children, foot }: AuthPageProps) {
  return (
    <div className="wrap auth-page">
      <div className="auth-page-form">
        <h1>{title}</h1>
        {children}
        <div className="auth-page-links">
          {foot}
          <p>
            <Link className="link" to="/shop">
              Back to the shop
            </Link>
          </p>
        </div>
      </div>
      <div className="auth-page-picture">
        <div className="picture">
          <img src={lamp} alt="" width={800} height={1000} loading="lazy" />
        </div>
        <p className="bubble">You don’t need an account to ask us something.</p>
      </div>
    </div>
  );
}

/** Link to another form, such as "New here? Create an account". */
export function AuthLink({ question, to, children }: { question: string; to: string; children: ReactNode }) {
  return (
    <p>
      {question}{" "}
      <Link className="link" to={to}>
        {children}
      </Link>
    </p>
  );
}

interface CheckedFormProps<Input> extends Omit<ComponentProps<typeof Form>, "children"> {
  id: string;
  /** Schema that the server checks too. */
  schema: ZodType<unknown, Input>;
  refused: RefusedForm | undefined;
  values?: Partial<Record<keyof Input & string, string>>;
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

/** Form that is validated before it is sent; its error is shown above the fields and as a toast. */
export function CheckedForm<Input>(props: CheckedFormProps<Input>) {
  const { id, schema, refused, values = {}, children, ...attributes } = props;
  useFailureToast(refused);
  const form = useCheckedForm({ id, schema, lastResult: refused?.lastResult, values });
  return (
    <Form method="post" {...attributes} {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
      {children(form)}
    </Form>
  );
}

interface CurrentPasswordProps extends Omit<ComponentProps<typeof PasswordField>, "label" | "autoComplete"> {
  /** Account's address: fills a hidden username field for password managers. */
  email: string;
  label: string;
}

/** Password of the signed-in account, which confirms a sensitive change. */
export function CurrentPassword({ email, ...field }: CurrentPasswordProps) {
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField autoComplete="current-password" {...field} />
    </>
  );
}

interface SignInFormProps {
  refused: RefusedForm | undefined;
  /** Path that sent the visitor to sign in. */
  redirectTo: string | null;
}

export function SignInForm({ refused, redirectTo }: SignInFormProps) {
  return (
    <CheckedForm id="login" schema={SignInInput} refused={refused} replace>
      {(form) => (
        <>
          <EmailField {...form.field("email")} />
          <PasswordField label="Password" autoComplete="current-password" {...form.secret("password")} />
          <div className="form-split-row">
            <Checkbox {...form.checkbox("rememberMe")}>Remember me</Checkbox>
            <Link className="link" to="/resetPassword">
              Forgot password?
            </Link>
          </div>
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
          <SubmitButton intent="signIn" busy="Signing in...">
            Sign In
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}

/** Form of the code that an account with a second factor is asked for after the password. */
export function SignInCodeForm({ refused, redirectTo }: SignInFormProps) {
  return (
    <CheckedForm id="login-code" schema={FactorCodeForm} refused={refused} replace>
      {(form) => (
        <>
          <FactorCode autoFocus {...form.secret("code")} />
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
          <SubmitButton intent="code" busy="Signing in...">
            Sign In
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}

/** Field of an authenticator's code, in whose place a recovery code may be given. */
export const FactorCode = (field: Omit<ComponentProps<typeof Field>, "label">) => (
  <Field
    label="Code"
    hint="Of your authenticator, or a recovery code"
    autoComplete="one-time-code"
    {...NO_AUTOCORRECT}
    {...field}
  />
);

/** Keeps phone keyboards from correcting a username. */
const NO_AUTOCORRECT = { autoCapitalize: "none", spellCheck: false };

export function SignUpForm({ refused }: { refused: RefusedForm | undefined }) {
  return (
    <CheckedForm id="signup" schema={SignUpSchema} refused={refused} replace>
      {(form) => (
        <>
          <div className="field-pair">
            <Field label="First name" autoComplete="given-name" {...form.field("firstName")} />
            <Field label="Last name" autoComplete="family-name" {...form.field("lastName")} />
          </div>
          <Field label="Username" autoComplete="username" {...NO_AUTOCORRECT} {...form.field("username")} />
          <EmailField {...form.field("email")} />
          <Field label="Phone" type="tel" autoComplete="tel" {...form.field("phone")} />
          <PasswordField label="Password" autoComplete="new-password" {...form.secret("password")} />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            {...form.secret("confirmPassword")}
          />
          <Checkbox {...form.checkbox("agreeToTerms")}>
            <Agreement />
          </Checkbox>
          <SubmitButton intent="signUp" busy="Creating account...">
            Create Account
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}

function Agreement() {
  return (
    <>
      I agree to the{" "}
      <Link className="link" to="/terms">
        Terms and Conditions
      </Link>{" "}
      and the{" "}
      <Link className="link" to="/privacy">
        Privacy Policy
      </Link>
    </>
  );
}

interface ResetPasswordFormProps {
  /** From the link in the mail. */
  token: string;
  refused: RefusedForm | undefined;
}

export function ResetPasswordForm({ token, refused }: ResetPasswordFormProps) {
  return (
    <CheckedForm id="reset" schema={ResetPasswordInput} refused={refused} replace>
      {(form) => (
        <>
          <input type="hidden" name="token" value={token} />
          <PasswordField label="New password" autoComplete="new-password" {...form.secret("password")} />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            {...form.secret("confirmPassword")}
          />
          <SubmitButton intent="reset" busy="Saving...">
            Set New Password
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}

interface AcceptInvitationProps extends ResetPasswordFormProps {
  invited: { email: string; firstName: string; shop: string };
}

/** Form by which an invited colleague chooses a password; the address is that of the invitation. */
export function AcceptInvitationForm({ token, invited, refused }: AcceptInvitationProps) {
  return (
    <CheckedForm id="accept" schema={AcceptInput} refused={refused} replace>
      {(form) => (
        <>
          <p className="lead">
            Hello {invited.firstName}, choose a password for your account at {invited.shop}.
          </p>
          <input type="hidden" name="token" value={token} />
          <Field
            id="accept-email"
            label="Email"
            type="email"
            value={invited.email}
            autoComplete="username"
            readOnly
          />
          <PasswordField
            label="Password"
            autoComplete="new-password"
            hint="At least 8 characters with a digit, a lowercase, an uppercase and one of @$!%*?&"
            {...form.secret("password")}
          />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            {...form.secret("confirmPassword")}
          />
          <SubmitButton intent="accept" busy="Saving...">
            Create My Account
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}

export function ForgotPasswordForm({ refused }: { refused: RefusedForm | undefined }) {
  return (
    <CheckedForm id="forgot" schema={ForgotPasswordInput} refused={refused} action="/resetPassword">
      {(form) => (
        <>
          <EmailField {...form.field("email")} />
          <SubmitButton intent="forgot" busy="Sending...">
            Send Reset Link
          </SubmitButton>
        </>
      )}
    </CheckedForm>
  );
}
