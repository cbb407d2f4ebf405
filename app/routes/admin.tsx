import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, Link, NavLink, Outlet, useLoaderData } from "@remix-run/react";
import { ADMIN_SECTIONS } from "~/features/insights/sections";
import { requireStaff } from "~/session/require-staff.server";

export const meta = () => [{ title: "Back office · Emporia" }, { name: "robots", content: "noindex" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const { firstName } = await requireStaff(context);
  return json({ firstName });
}

export default function Admin() {
  const { firstName } = useLoaderData<typeof loader>();
  return (
    <>
      <header className="top">
        <div className="wrap">
          <Link className="logo" to="/">
            Back to Shop
          </Link>
          <Form method="post" action="/logout">
            <input type="hidden" name="redirectTo" value="/login" />
            <span className="soft">{firstName || "Admin"}</span>
            <button type="submit" className="btn btn-quiet">
              Logout
            </button>
          </Form>
        </div>
      </header>
      <main id="main" className="wrap">
        <nav className="crumbs" aria-label="Sections">
          {ADMIN_SECTIONS.map(({ path, title }) => (
            <NavLink key={path} to={path} end>
              {title}
            </NavLink>
          ))}
        </nav>
        <Outlet />
      </main>
    </>
  );
}
