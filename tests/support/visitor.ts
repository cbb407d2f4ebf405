import { loaderData } from "./loader-data";
import { call, cookiesOf } from "./shop";

interface CartAnswer {
  lines: { id: string; quantity: number; color: string | null; engraving: string | null }[];
  totalCents: number;
  itemCount: number;
}

/** Visitor with a cart, who stores cookies and sends the cart's forms. */
export function visitor(cookie = "") {
  const remember = (answer: Response) => {
    const jar = new Map(
      `${cookie}; ${cookiesOf(answer)}`
        .split("; ")
        .filter(Boolean)
        .map((one) => [one.split("=")[0], one]),
    );
    cookie = [...jar.values()].join("; ");
    return answer;
  };
  const post = async (fields: Record<string, string>, path = "/cart") =>
    remember(
      await call(path, {
        body: new URLSearchParams(fields).toString(),
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          Host: "localhost:8787",
          Origin: "http://localhost:8787",
        },
        cookie: cookie || "x=y",
      }),
    );
  return {
    post,
    /** Sends the form as a fetch, which returns the messages as JSON. */
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
    tamper: (change: (cookie: string) => string) => {
      cookie = change(cookie);
    },
  };
}
