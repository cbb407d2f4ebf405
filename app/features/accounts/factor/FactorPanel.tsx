import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { CheckedForm, CurrentPassword, FactorCode } from "../AuthForms";
import type { FactorPage } from "./page.server";
import { FACTOR_PATH, FactorBeginForm, FactorChangeForm, FactorCodeForm } from "./schema";

interface FactorPanelProps {
  page: FactorPage;
  /** Account's address. */
  email: string;
  refused: RefusedForm | undefined;
  /** Recovery codes that were just made; null for none. */
  codes: string[] | null;
}

/** Tab of My Account for the second factor of staff. */
export function FactorPanel({ page, codes, ...form }: FactorPanelProps) {
  if (!page.isOffered) return <p>Second factors are for those who work in the shop.</p>;
  // Without JavaScript, the page was read before its form turned the second factor on.
  if (codes) return <RecoveryCodes codes={codes} shop={page.shop} />;
  if (page.setUp) return <SetUp setUp={page.setUp} refused={form.refused} />;
  if (!page.on) return <Off isRequired={page.isRequired} {...form} />;
  return <On on={page.on} isRequired={page.isRequired} {...form} />;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="account-section" aria-labelledby="factor-title">
      <h2 id="factor-title">{title}</h2>
      {children}
    </section>
  );
}

/** Attributes of each form of the tab. */
const FORM = { id: "factor", className: "account-form", action: FACTOR_PATH, replace: true } as const;

type FormState = Pick<FactorPanelProps, "email" | "refused">;

function Off({ isRequired, email, refused }: FormState & Pick<FactorPage, "isRequired">) {
  return (
    <Section title="Second factor">
      {isRequired && <p className="account-notice">The shop requires it of its staff. Set it up to go on.</p>}
      <p>
        Signing in then asks for a code of your phone after the password, which alone opens nothing any more.
        You need an authenticator app, such as the one for the passwords of your phone.
      </p>
      <CheckedForm schema={FactorBeginForm} refused={refused} {...FORM}>
        {({ secret }) => (
          <>
            <CurrentPassword email={email} label="Password" {...secret("currentPassword")} />
            <div className="form-actions">
              <SubmitButton intent="factorBegin" busy="Checking..." className="btn btn-act">
                Set up
              </SubmitButton>
            </div>
          </>
        )}
      </CheckedForm>
    </Section>
  );
}

type Pending = NonNullable<FactorPage["setUp"]>;

function QrPicture({ size, path }: Pending["qr"]) {
  return (
    <svg
      className="factor-qr"
      viewBox={`-8 -8 ${size + 16} ${size + 16}`}
      role="img"
      aria-label="QR code of the key"
    >
      <path d={path} fillRule="evenodd" />
    </svg>
  );
}

function SetUp({ setUp, refused }: Pick<FormState, "refused"> & { setUp: Pending }) {
  return (
    <Section title="Set up the second factor">
      <p>Scan this with your authenticator app, or type the key there. Then give the code that it shows.</p>
      <QrPicture {...setUp.qr} />
      <p>
        Key: <code className="factor-key">{setUp.secret}</code>
      </p>
      <CheckedForm schema={FactorCodeForm} refused={refused} {...FORM}>
        {({ secret }) => (
          <>
            <FactorCode {...secret("code")} hint="Of your authenticator" />
            <div className="form-actions">
              <SubmitButton intent="factorConfirm" busy="Checking..." className="btn btn-act">
                Turn on
              </SubmitButton>
            </div>
          </>
        )}
      </CheckedForm>
      <Form method="post" action={FACTOR_PATH} className="form-actions" replace>
        <SubmitButton intent="factorCancel" busy="Cancelling..." className="btn btn-line">
          Cancel
        </SubmitButton>
      </Form>
    </Section>
  );
}

function RecoveryCodes({ codes, shop }: { codes: string[]; shop: string }) {
  const text = `Recovery codes of ${shop}, each works once:\n\n${codes.join("\n")}\n`;
  return (
    <section className="account-notice" aria-labelledby="codes-title">
      <h2 id="codes-title">Your recovery codes</h2>
      <p>
        Each opens your account once in place of a code, should you lose your phone. They are shown only now:
        print them, or keep them where you keep your passwords.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <button type="button" className="btn btn-act needs-script" onClick={() => saveText(text)}>
          <Icon name="download" />
          Download
        </button>
        <button type="button" className="btn btn-line needs-script" onClick={() => window.print()}>
          Print
        </button>
        <Link className="btn btn-line" to="/admin">
          To the back office
        </Link>
      </div>
    </section>
  );
}

/** Saves a text as a file of the browser. */
function saveText(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}

type OnProps = FormState & Pick<FactorPage, "isRequired"> & { on: NonNullable<FactorPage["on"]> };

function On({ on: { since, codesLeft }, isRequired, email, refused }: OnProps) {
  return (
    <Section title="Your second factor is on">
      <p>
        Since {since}. {codesLeft === 1 ? "1 recovery code is" : `${codesLeft} recovery codes are`} left.
        {isRequired &&
          " The shop requires it of its staff: whoever turns it off has to set it up anew to go on."}
      </p>
      <p>For a new phone, turn it off and set it up there. If the old one is lost, give a recovery code.</p>
      <CheckedForm schema={FactorChangeForm} refused={refused} {...FORM}>
        {({ secret }) => (
          <>
            <CurrentPassword email={email} label="Password" {...secret("currentPassword")} />
            <FactorCode {...secret("code")} />
            <div className="form-actions">
              <SubmitButton intent="factorCodes" busy="Making..." className="btn btn-line">
                Make new recovery codes
              </SubmitButton>
              <SubmitButton intent="factorOff" busy="Turning off..." className="btn btn-line">
                Turn off
              </SubmitButton>
            </div>
          </>
        )}
      </CheckedForm>
    </Section>
  );
}
