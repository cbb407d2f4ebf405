import { useRouteLoaderData } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";
import { localTo } from "~/domain/local-to";
import { Form, Link } from "~/ui/navigation";
import { ErrorReference } from "./failure-parts";
import { Icon } from "./Icon";
import smallPlinth from "./pictures/plinth-480.webp?url";
import plinth from "./pictures/plinth-1000.webp?url";
import { useSite } from "./site";

interface ErrorLayoutProps {
  title: string;
  text: ReactNode;
  /** Text of the speech bubble on the picture. */
  caption: string;
  children: ReactNode;
}

function ErrorLayout({ title, text, caption, children }: ErrorLayoutProps) {
  return (
    <div className="wrap error-page">
      <div>
        <h1>{title}</h1>
        <div className="rich-text">{text}</div>
        <div className="error-page-actions">{children}</div>
      </div>
      <div className="error-page-picture">
        <div className="picture">
          <img
            src={smallPlinth}
            srcSet={`${smallPlinth} 480w, ${plinth} 1000w`}
            sizes="(min-width: 56rem) 45vw, 92vw"
            alt="An empty plinth"
            width={800}
            height={1000}
          />
        </div>
        <p className="bubble">{caption}</p>
      </div>
    </div>
  );
}

export interface ErrorPageProps {
  status: number;
  /** Data of the catalogue that could not be loaded. */
  subject?: "product" | "products" | undefined;
  /** Heading of a 404, "Page Not Found" by default. */
  title?: string | undefined;
  back?: string | undefined;
  retry: string;
}

/** Error page of the catalogue, or one for a status: 404 (also for 400), 401 (also for 403), or 500 for all others. */
export default function ErrorPage({ status, subject, title, back, retry }: ErrorPageProps) {
  if (subject) return <LoadFailure subject={subject} isMissing={status === 404} retry={retry} />;
  if (status === 404 || status === 400) return <NotFoundPage title={title} back={back} />;
  return status === 401 || status === 403 ? <UnauthorizedPage /> : <ServerErrorPage retry={retry} />;
}

interface LoadFailureProps {
  subject: "product" | "products";
  isMissing: boolean;
  retry: string;
}

/** Page for products that could not be loaded. */
function LoadFailure({ subject, isMissing, retry }: LoadFailureProps) {
  const isShop = /^\/shop\b/.test(retry);
  if (isMissing && subject === "product") return <MissingProduct />;
  return (
    <div className="wrap">
      <div className="empty-state" role="alert">
        <h1>{subject === "product" ? "Failed to fetch product details." : "Failed to fetch data"}</h1>
        <p className="soft">{`The ${subject} could not be loaded. Please try again.`}</p>
        <div className="empty-state-actions">
          <a className="btn btn-act" href={localTo(retry)}>
            Try Again
          </a>
          <Link className="btn btn-line" to={isShop ? "/" : "/shop"}>
            {isShop ? "Go Home" : "Browse Shop"}
          </Link>
        </div>
      </div>
    </div>
  );
}

/** Page of a product that is no longer there. */
function MissingProduct() {
  return (
    <ErrorLayout
      title="Product not found"
      caption="Something like it? Ask."
      text={<p>It is no longer for sale, or the address is wrong. Tell us what you were looking for.</p>}
    >
      <Link className="btn btn-act" to="/shop">
        Browse Shop
      </Link>
      <a className="btn btn-talk" href="/chat?ask">
        <Icon name="message-circle" /> Ask us
      </a>
    </ErrorLayout>
  );
}

/** Page for statuses 400 and 404. @param back previous page, for browsers without JavaScript */
function NotFoundPage({ title = "Page Not Found", back = "/" }: Pick<ErrorPageProps, "title" | "back">) {
  return (
    <ErrorLayout
      title={title}
      caption="Looking for something? Ask."
      text={
        <p>
          The page was moved or removed, or the address is wrong. If you are looking for a product, ask us.
        </p>
      }
    >
      <Link className="btn btn-act" to="/">
        Go Home
      </Link>
      <Link className="btn btn-line" to="/shop">
        Browse Shop
      </Link>
      <a className="btn btn-line" href={localTo(back)} onClick={goBack}>
        <Icon name="arrow-left" /> Go Back
      </a>
    </ErrorLayout>
  );
}

/** Page for statuses 401 and 403. Signed-in users can log out first, since /login would redirect them to the home page. */
function UnauthorizedPage() {
  const user = useRouteLoaderData<{ user: unknown }>("routes/_shop")?.user;
  return (
    <ErrorLayout
      title="Unauthorized Access"
      caption="You need permission to see this page."
      text={
        <p>You don't have permission to access this page. Please log in with the appropriate credentials.</p>
      }
    >
      {user ? <SignedInActions /> : null}
      <Link className={user ? "btn btn-line" : "btn btn-act"} to="/login">
        Sign In
      </Link>
      <Link className="btn btn-line" to="/">
        Go Home
      </Link>
      <Link className="btn btn-line" to="/signup">
        Create Account
      </Link>
    </ErrorLayout>
  );
}

function SignedInActions() {
  return (
    <>
      <Form method="post" action="/logout">
        <input type="hidden" name="redirectTo" value="/login" />
        <button type="submit" className="btn btn-act">
          Logout
        </button>
      </Form>
      <Link className="btn btn-line" to="/account">
        My Account
      </Link>
    </>
  );
}

/** Page for status 500. @param retry URL that Try Again loads */
function ServerErrorPage({ retry }: { retry: string }) {
  const { supportEmail } = useSite();
  return (
    <ErrorLayout
      title="Internal Server Error"
      caption="Sorry, that failed."
      text={
        <>
          <p>Something went wrong on our end. We're experiencing technical difficulties.</p>
          <ErrorReference />
          {supportEmail && (
            <p className="soft">
              Still broken? Write to{" "}
              <a className="link" href={`mailto:${supportEmail}`}>
                {supportEmail}
              </a>
              .
            </p>
          )}
        </>
      }
    >
      <a className="btn btn-act" href={localTo(retry)}>
        Try Again
      </a>
      <Form method="post" action="/logout" reloadDocument>
        <button type="submit" className="btn btn-line">
          Login Again
        </button>
      </Form>
      {supportEmail && (
        <a className="btn btn-line" href={`mailto:${supportEmail}`}>
          Contact Support
        </a>
      )}
    </ErrorLayout>
  );
}

/** Goes back in the history; the link's href is only the referrer. */
function goBack(event: MouseEvent<HTMLAnchorElement>) {
  if (window.history.length < 2) return;
  event.preventDefault();
  window.history.back();
}
