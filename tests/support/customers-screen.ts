import { loaderData } from "./loader-data";
import { json } from "./sales";
import { call } from "./shop";

/** Path of the list of customers. */
export const CUSTOMERS = "/admin/customers";

interface Screen {
  rows: {
    id: string;
    name: string;
    heldPieces: number;
    hasAcceptedQuote: number | null;
    duplicate: string | null;
  }[];
  total: number;
  params: { page: number };
}

/** Creates the calls of the customers' screens. @param token returns that of a member of staff */
export function customersScreen(token: () => string) {
  const screen = (query = "") => loaderData<Screen>(`${CUSTOMERS}?${query}`, { token: token() });
  return {
    screen,
    names: async (query: string) => (await screen(query)).rows.map(({ name }) => name),
    html: async (path: string) => (await call(path, { token: token() })).text(),
    send: (path: string, fields: Record<string, string>) =>
      call(path, { method: "POST", body: new URLSearchParams(fields), token: token() }),
    add: async (fields: Record<string, unknown>) =>
      (await json<{ id: string }>(call("/api/customer", { token: token(), json: fields }))).id,
  };
}
