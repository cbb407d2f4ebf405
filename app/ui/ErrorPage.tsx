import { Form, Link, useRouteLoaderData } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";
import { Icon } from "./Icon";
import smallPlinth from "./pictures/plinth-480.webp?url";
import plinth from "./pictures/plinth-1000.webp?url";
import { useSite } from "./site";

interface LostProps {
  title: string;
  text: ReactNode;
  /** What the bubble on the picture says. */
  says: string;
  children: ReactNode;
}

/** The common looks of the pages where something is missing. */
function Lost({ title, text, says, children }: LostProps) {
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
        <p className="bubble">{says}</p>
      </div>
    </div>
  );
}

interface ErrorPageProps {
  /** What went wrong, as an HTTP status. */
  status: number;
  /** What is missing, where that is known. */
  title?: string | undefined;
  /** Where the reader came from. */
  back?: string | undefined;
  /** The address that failed. */
  retry: string;
}

/** The page for a status: 404, 401 (also for 403), and 500 for all else. */
export default function ErrorPage({ status, title, back, retry }: ErrorPageProps) {
  if (status === 404) return <NotFoundPage title={title} back={back} />;
  return status === 401 || status === 403 ? <UnauthorizedPage /> : <ServerErrorPage retry={retry} />;
}

/**
 * 404 (spec 2, Error pages).
 *
 * @param title what is missing, where that is known
 * @param back where the reader came from, for a browser without JavaScript
 */
function NotFoundPage({ title = "Page Not Found", back = "/" }: Pick<ErrorPageProps, "title" | "back">) {
  return (
    <Lost
      title={title}
      says="Looking for something? Ask."
      text={
        <p>
          It was sold, moved, or never on this shelf. If you followed a link to something particular, ask us:
          we probably know where it went.
        </p>
      }
    >
      <Link className="btn btn-act" to="/">
        Go Home
      </Link>
      <Link className="btn btn-line" to="/shop">
        Browse Shop
      </Link>
      <a className="btn btn-line" href={back} onClick={goBack}>
        <Icon name="arrow-left" /> Go Back
      </a>
    </Lost>
  );
}

/** 401 (spec 2, Error pages). Somebody who is signed in, and whom /login would send home, can come in as another. */
export function UnauthorizedPage() {
  const known = useRouteLoaderData<{ user: unknown }>("routes/_shop")?.user;
  return (
    <Lost
      title="Unauthorized Access"
      says="This shelf is behind the counter."
      text={
        <p>You don't have permission to access this page. Please log in with the appropriate credentials.</p>
      }
    >
      {known ? <OwnActs /> : null}
      <Link className={known ? "btn btn-line" : "btn btn-act"} to="/login">
        Sign In
      </Link>
      <Link className="btn btn-line" to="/">
        Go Home
      </Link>
      <Link className="btn btn-line" to="/signup">
        Create Account
      </Link>
    </Lost>
  );
}

function OwnActs() {
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

/**
 * 500 (spec 2, Error pages).
 *
 * @param retry the address that Try Again asks for once more
 */
export function ServerErrorPage({ retry }: { retry: string }) {
  const { supportEmail } = useSite();
  return (
    <Lost
      title="Internal Server Error"
      says="We dropped something. Sorry."
      text={
        <>
          <p>Something went wrong on our end. We're experiencing technical difficulties.</p>
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
      <a className="btn btn-act" href={retry}>
        Try Again
      </a>
      <Form method="post" action="/logout" reloadDocument>
        <button type="submit" className="btn btn-line">
          Login Again
        </button>
      </Form>
      <a className="btn btn-line" href={`mailto:${supportEmail}`}>
        Contact Support
      </a>
    </Lost>
  );
}

/** Back to where the reader was, which the link's own address only guesses at. */
function goBack(event: MouseEvent<HTMLAnchorElement>) {
  if (window.history.length < 2) return;
  event.preventDefault();
  window.history.back();
}
