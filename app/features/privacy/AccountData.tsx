import type { ReactNode } from "react";
import { CheckedForm, CurrentPassword } from "~/features/accounts/AuthForms";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { PlannedView } from "./deletion.server";
import { ERASURE_DAYS, PasswordForm } from "./schema";

export const DATA_PATH = "/account?tab=data";
export const DELETE_LINK_ID = "delete-account";
const DELETE_PATH = "/account?tab=data&delete=1";

interface PlannedNoticeProps {
  planned: PlannedView;
  /** Mailed link, which works without signing in. */
  link: string | null;
}

/** Date of a planned deletion, with the button that cancels it until it begins. */
export function PlannedNotice({ planned, link }: PlannedNoticeProps) {
  if (planned.hasBegun)
    return (
      <section className="account-notice" aria-labelledby="planned-title">
        <h2 id="planned-title">Your account is being deleted</h2>
        <p>The deletion has begun and can’t be cancelled any more.</p>
      </section>
    );
  return (
    <section className="account-notice" aria-labelledby="planned-title">
      <h2 id="planned-title">Your account will be deleted on {planned.date}</h2>
      <p>Until then everything works as before.</p>
      <Form method="post" action="/account" className="form-actions">
        {link !== null && <input type="hidden" name="keep" value={link} />}
        <SubmitButton intent={link === null ? "keep" : "keepByLink"} busy="Saving..." className="btn btn-act">
          Keep my account
        </SubmitButton>
      </Form>
    </section>
  );
}

/** Page of a mailed link that cancels nothing. @param isValid it was used, or its deletion is done */
export function LinkEnded({ isValid }: { isValid: boolean }) {
  return (
    <div className="wrap account">
      <h1>{isValid ? "Nothing is planned any more" : "This link isn’t valid"}</h1>
      <p className="lead">
        {isValid
          ? "This deletion was cancelled or is done."
          : "It isn’t whole, or its time is over. It has changed nothing: sign in to see whether your account will be deleted, and to keep it."}
      </p>
      <div className="form-actions">
        <Link className="btn btn-line" to="/account">
          My Account
        </Link>
      </div>
    </div>
  );
}

interface AccountDataProps {
  /** Account's address. */
  email: string;
  isDeleting: boolean;
  isPlanned: boolean;
  refused: RefusedForm | undefined;
}

/** Tab "Your data": download, or the form that deletes the account. */
export function AccountData({ isDeleting, isPlanned, ...form }: AccountDataProps) {
  if (isDeleting && !isPlanned) return <DeleteForm {...form} />;
  return (
    <>
      <section className="account-section" aria-labelledby="download-title">
        <h2 id="download-title">Download my data</h2>
        <p>
          A ZIP file with your account, favourites and cart, your chats with the files that were sent, and
          your receipts, quotes and holds.
        </p>
        <DownloadForm {...form} />
      </section>
      {!isPlanned && (
        <section className="account-section" aria-labelledby="delete-title">
          <h2 id="delete-title">Delete my account</h2>
          <p>
            Removes your details, chats and files after {ERASURE_DAYS} days. Receipts stay for the tax office,
            without your name.
          </p>
          <Link id={DELETE_LINK_ID} className="btn btn-line" to={DELETE_PATH} preventScrollReset>
            Delete my account…
          </Link>
        </section>
      )}
    </>
  );
}

type FormState = Pick<AccountDataProps, "email" | "refused">;

interface ConfirmByPasswordProps extends FormState {
  id: string;
  action: string;
  /** Leaves the answer to the browser. */
  reloadDocument?: boolean;
  /** Buttons that send the form. */
  children: ReactNode;
}

/** Form that asks for the account's password alone. */
function ConfirmByPassword({ email, children, ...form }: ConfirmByPasswordProps) {
  return (
    <CheckedForm schema={PasswordForm} className="account-form" replace {...form}>
      {({ secret }) => (
        <>
          <CurrentPassword email={email} label="Password" {...secret("currentPassword")} />
          <div className="form-actions">{children}</div>
        </>
      )}
    </CheckedForm>
  );
}

function DownloadForm(props: FormState) {
  return (
    // A form of the browser itself: the answer is a file.
    <ConfirmByPassword id="download" action={DATA_PATH} reloadDocument {...props}>
      <button type="submit" name="intent" value="download" className="btn btn-act">
        <Icon name="download" />
        Download my data
      </button>
    </ConfirmByPassword>
  );
}

function DeleteForm(props: FormState) {
  return (
    <section className="account-section" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete my account?</h2>
      <p>
        In {ERASURE_DAYS} days your details, favourites, notifications and chats with their files are deleted
        for good. We mail you a link with which you can change your mind until then. Receipts and credit notes
        stay for the tax office, without your name.
      </p>
      <ConfirmByPassword id="delete" action={DELETE_PATH} {...props}>
        <SubmitButton intent="delete" busy="Saving..." className="btn btn-act">
          Delete my account
        </SubmitButton>
        <Link className="btn btn-line" to={DATA_PATH} replace preventScrollReset>
          Cancel
        </Link>
      </ConfirmByPassword>
    </section>
  );
}
