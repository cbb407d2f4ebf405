import { Link } from "@remix-run/react";

/** What /account says to who isn't signed in (spec 2, Account). */
export function SignInRequired() {
  return (
    <div className="wrap account">
      <h1>My Account</h1>
      <p className="lead">Please log in to view your account information.</p>
      <div className="form-actions">
        <Link className="btn btn-act" to="/login">
          Sign In
        </Link>
        <Link className="btn btn-line" to="/signup">
          Create Account
        </Link>
      </div>
    </div>
  );
}
