import { loaderData } from "./loader-data";
import { call, cookiesOf, ORIGIN } from "./shop";

interface CartAnswer {
  lines: { id: string; quantity: number; color: string | null; engraving: string | null }[];
  totalCents: number;
  itemCount: number;
}

/** Creates a visitor with a cart, who stores cookies and sends the cart's forms. @param cookie `Cookie` header to begin with */
export function visitor(cookie = "") {
  const storeCookies = (answer: Response) => {
    const cookies = `${cookie}; ${cookiesOf(answer)}`.split("; ").filter(Boolean);
    // A later cookie replaces one of the same name.
    const byName = new Map(cookies.map((pair) => [pair.split("=")[0], pair]));
    cookie = [...byName.values()].join("; ");
    return answer;
  };
  const post = async (fields: Record<string, string>, path = "/cart") =>
    storeCookies(
      await call(path, {
        body: new URLSearchParams(fields).toString(),
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          Host: new URL(ORIGIN).host,
          Origin: ORIGIN,
        },
        cookie,
      }),
    );
  return {
    post,
    /** Sends the form by `fetch`. @returns status and messages */
    async send(fields: Record<string, string>, path = "/cart/submit") {
      const answer = await post({ ...fields, stay: "1" }, path);
      const body = (await answer.json()) as { toast?: unknown; failure?: string | null; to?: string };
      return { status: answer.status, ...body };
    },
    async cart() {
      return (await loaderData<{ cart: CartAnswer }>("/cart", { cookie })).cart;
    },
    page: async (path: string) => (await call(path, { cookie })).text(),
    cookie: () => cookie,
    /** Changes the stored cookies. */
    tamper: (change: (cookie: string) => string) => {
      cookie = change(cookie);
    },
  };
}
