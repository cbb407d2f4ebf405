import { z } from "zod";
import * as accountsInvitations from "~/features/accounts/operations/invitations.server";
import * as accountsPassword from "~/features/accounts/operations/password.server";
import * as accountsUsers from "~/features/accounts/operations/users.server";
import * as closings from "~/features/bookkeeping/operations/closings.server";
import * as catalogueCodes from "~/features/catalogue/operations/codes.server";
import * as catalogue from "~/features/catalogue/operations/products.server";
import * as catalogueSuggest from "~/features/catalogue/operations/suggest.server";
import * as catalogueWrites from "~/features/catalogue/operations/writes.server";
import * as chatFiles from "~/features/chat/operations/files.server";
import * as chatList from "~/features/chat/operations/list.server";
import * as chatMessages from "~/features/chat/operations/messages.server";
import * as chatNotes from "~/features/chat/operations/notes.server";
import * as chatResponses from "~/features/chat/operations/responses.server";
import * as chatSettings from "~/features/chat/operations/settings.server";
import * as chatSubscribe from "~/features/chat/operations/subscribe.server";
import * as conversationStart from "~/features/conversation/operations/start.server";
import * as drawer from "~/features/drawer/operations.server";
import * as favourites from "~/features/favourites/operations.server";
import * as find from "~/features/find/operations.server";
import { WEBHOOKS } from "~/features/integrations/events";
import * as integrations from "~/features/integrations/operations.server";
import * as inventoryMovements from "~/features/inventory/operations/movements.server";
import * as ledgerFigures from "~/features/ledger/operations/figures.server";
import * as ledgerFiles from "~/features/ledger/operations/files.server";
import * as ledgerKinds from "~/features/ledger/operations/kinds.server";
import * as productActs from "~/features/product-admin/operations/acts.server";
import * as productImport from "~/features/product-import/operations.server";
import * as productRuns from "~/features/product-runs/operations.server";
import * as push from "~/features/push/operations.server";
import * as restock from "~/features/restock/operations.server";
import * as salesCorrect from "~/features/sales/operations/correct.server";
import * as salesCredit from "~/features/sales/operations/credit.server";
import * as salesCustomers from "~/features/sales/operations/customers.server";
import * as salesDeposits from "~/features/sales/operations/deposits.server";
import * as salesDocuments from "~/features/sales/operations/documents.server";
import * as salesHolds from "~/features/sales/operations/holds.server";
import * as salesQuotes from "~/features/sales/operations/quotes.server";
import * as salesRecord from "~/features/sales/operations/record.server";
import * as salesReceipt from "~/features/sales/receipt/operations.server";
import * as searchWords from "~/features/search-words/operations.server";
import * as settings from "~/features/settings/operations.server";
import * as signInReset from "~/features/sign-in/operations/reset.server";
import * as signIn from "~/features/sign-in/operations/sign-in.server";
import * as storage from "~/features/storage/operations/objects.server";
import * as storageUpload from "~/features/storage/operations/upload.server";
import * as today from "~/features/today/operations.server";
import type { ApiRoutes } from "~/http/api-route.server";
import { type Method, type Operation, operation, type ResultOf } from "~/http/operation.server";
import { shopSettings } from "~/http/shop-settings.server";
import { operationsOf } from "./document";
import { HEADINGS, KEYS } from "./reference";

/** Modules of operations with routes, and the ledger's records, whose operations are made together. */
const SOURCES: object[] = [
  accountsInvitations,
  accountsPassword,
  accountsUsers,
  catalogueCodes,
  catalogueSuggest,
  catalogueWrites,
  catalogue,
  chatFiles,
  chatList,
  chatMessages,
  chatNotes,
  chatResponses,
  chatSettings,
  chatSubscribe,
  closings,
  conversationStart,
  drawer,
  favourites,
  find,
  integrations,
  inventoryMovements,
  ledgerFigures,
  ledgerFiles,
  productActs,
  productImport,
  productRuns,
  push,
  restock,
  searchWords,
  settings,
  salesCorrect,
  salesCredit,
  salesCustomers,
  salesDeposits,
  salesDocuments,
  salesHolds,
  salesQuotes,
  salesReceipt,
  salesRecord,
  signIn,
  signInReset,
  storage,
  storageUpload,
  today,
  ledgerKinds,
  ...Object.values(ledgerKinds),
];

/** Routes of the API by their path below /api, with the operation of each method (docs/product.md, 3.4). */
export const API_ROUTES: ApiRoutes = routesOf(SOURCES.flatMap((source) => Object.values(source)));

/** Collects the operations that declare a route. @throws Error for a route that two declare */
function routesOf(values: unknown[]): ApiRoutes {
  const routed = values.filter(hasRoute).map((operation) => {
    const [method, path] = operation.call.route.split(" ") as [Method, string];
    return { method, path, operation };
  });
  const routes: ApiRoutes = {};
  for (const { method, path, operation } of routed.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (routes[path]?.[method]) throw new Error(`Two operations declare ${method} ${path}`);
    routes[path] = { ...routes[path], [method]: operation };
  }
  return routes;
}

type RoutedOperation = Operation<unknown> & { call: NonNullable<Operation<unknown>["call"]> };

function hasRoute(value: unknown): value is RoutedOperation {
  return (
    typeof value === "object" &&
    value !== null &&
    "call" in value &&
    "execute" in value &&
    value.call !== null
  );
}

let cachedDocument: ReturnType<typeof buildDocument> | undefined;

/** Loads the code that builds the document, and runs it. */
async function buildDocument(name: string) {
  const { openApiDocument } = await import("./openapi.server");
  return openApiDocument(API_ROUTES, name);
}

/** Returns the document, built once in an isolate. @param name the shop's, from the Worker's variables */
function documentOf(name: string) {
  cachedDocument ??= buildDocument(name).catch((error) => {
    cachedDocument = undefined;
    throw error;
  });
  return cachedDocument;
}

/** Returns the API as an OpenAPI 3.1 document. */
export const readOpenApi = operation({
  access: "anyone",
  input: z.object({}),
  cacheable: true,
  run: async (context) => documentOf((await shopSettings(context)).name),
});

/** Formats the example of a body; null without one. */
function exampleText(body: unknown): string | null {
  const { content = {} } = (body ?? {}) as { content?: Record<string, { example?: unknown }> };
  const example = Object.values(content)[0]?.example;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

/** Reads the data of the API's page, with the routes grouped by tag. */
export const readApiPage = operation({
  access: "anyone",
  input: z.object({}),
  async run(context) {
    const { paths, webhooks } = await documentOf((await shopSettings(context)).name);
    const routes = operationsOf(paths).map(({ path, method, operation }) => ({
      tag: operation.tags?.[0] ?? "",
      call: `${method.toUpperCase()} ${path}`,
      summary: operation.summary ?? "",
      // The description of a route states who may call it.
      access: operation.description ?? "",
      requestExample: exampleText(operation.requestBody),
      responseExample: exampleText(Object.values(operation.responses ?? {})[0]),
      errors: Object.keys(operation.responses ?? {}).filter((status) => Number(status) >= 400),
    }));
    const groups = Map.groupBy(routes, ({ tag }) => tag);
    const events = operationsOf(webhooks).map(({ path, operation }) => ({
      event: path,
      summary: operation.summary ?? "",
      example: exampleText(operation.requestBody) ?? "",
    }));
    return {
      url: `${context.settings.url}/api`,
      keys: KEYS,
      webhooks: WEBHOOKS,
      events,
      groups: [...groups].map(([tag, calls]) => ({ tag, heading: HEADINGS[tag] ?? tag, calls })),
    };
  },
});
export type ApiPageData = ResultOf<typeof readApiPage>;
