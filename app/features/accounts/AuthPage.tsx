import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import lamp from "./auth-page.webp?url";

interface DoorProps {
  title: string;
  children: ReactNode;
  /** Links beneath the form. */
  foot: ReactNode;
}

/** The frame of sign in, sign up and forgot password: the form, and the shop's voice beside it. */
export function AuthPage({ title, children, foot }: DoorProps) {
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

/** "New here? Create an account", and the like. */
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
