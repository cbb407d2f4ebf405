import { json } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";

export async function loader({ context }) {
  return json(await context.env.DB.prepare("SELECT 1 AS one").first());
}

export default function Index() {
  return <p>{useLoaderData().one}</p>;
}
