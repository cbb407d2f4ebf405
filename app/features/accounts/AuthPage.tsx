import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import lamp from "./auth-page.webp?url";

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
