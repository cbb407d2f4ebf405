import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { findCards } from "~/features/catalogue/queries.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return json({ cards: await findCards(context.db, null, "default", { limit: 8, offset: 0 }) });
}

export default function Home() {
  const { cards } = useLoaderData<typeof loader>();
  return (
    <ul>
      {cards.map((c) => (
        <li key={c.id}>{c.name}</li>
      ))}
    </ul>
  );
}
