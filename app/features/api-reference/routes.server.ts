import { z } from "zod";
import { me, signIn, signOut, signUp } from "~/features/accounts/operations/auth.server";
import {
  changePassword,
  forgotPassword,
  resetPassword,
} from "~/features/accounts/operations/password.server";
import {
  createUser,
  deleteUser,
  listUsers,
  updateAccount,
} from "~/features/accounts/operations/users.server";
import { suggest } from "~/features/catalogue/operations/suggest.server";
import { createProduct, deleteProduct, updateProduct } from "~/features/catalogue/operations/writes.server";
import {
  listCategories,
  listCategoryProducts,
  listProducts,
  listRandomProducts,
  readProduct,
} from "~/features/catalogue/operations.server";
import { createChat } from "~/features/chat/operations/create.server";
import { readFile } from "~/features/chat/operations/files.server";
import { listChats, updateChat } from "~/features/chat/operations/list.server";
import {
  deleteChat,
  listOwnChats,
  markRead,
  postMessage,
  readMessages,
} from "~/features/chat/operations/messages.server";
import {
  createResponse,
  deleteResponse,
  listResponses,
  updateResponse,
} from "~/features/chat/operations/responses.server";
import { readSettings, updateSettings } from "~/features/chat/operations/settings.server";
import { addFavourite, listFavourites, removeFavourite } from "~/features/favourites/operations.server";
import { readMovements } from "~/features/inventory/movements.server";
import {
  expensesByYear,
  readExpenseTotals,
  readTotals,
  salesByCategory,
  salesByYear,
} from "~/features/ledger/operations/figures.server";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { importProducts } from "~/features/product-import/operations.server";
import { subscribe, unsubscribe } from "~/features/push/operations.server";
import { creditSale } from "~/features/sales/credit.server";
import {
  addCustomer,
  changeCustomer,
  mergeCustomer,
  readCustomer,
  readCustomers,
  readTimeline,
} from "~/features/sales/customers.server";
import { getDocument, listSales } from "~/features/sales/documents.server";
import { extendHold, placeHold, releaseHold } from "~/features/sales/holds.server";
import { changeQuote, sendQuote } from "~/features/sales/quotes.server";
import { mailReceipt } from "~/features/sales/receipt/operations.server";
import { recordSale } from "~/features/sales/record.server";
import { readObject } from "~/features/storage/operations.server";
import { uploadImages } from "~/features/storage/upload.server";
import type { ApiRoutes } from "~/http/api-route.server";
import { operation, type ResultOf } from "~/http/operation.server";
import { openApiDocument } from "./openapi.server";
import { HEADINGS, KEYS, WEBHOOKS } from "./reference";

/** Routes of the API by their path below /api, with the operation of each method (docs/product.md, 3.4). */
export const API_ROUTES: ApiRoutes = {
  "auth/forgot-password": { POST: forgotPassword },
  "auth/login": { POST: signIn },
  "auth/logout": { POST: signOut },
  "auth/me": { GET: me },
  "auth/reset-password": { POST: resetPassword },
  "auth/signup": { POST: signUp },
  chat: { GET: listChats },
  "chat/:id": { PATCH: updateChat, DELETE: deleteChat },
  "chat/:id/messages": { GET: readMessages },
  "chat/:id/read": { PATCH: markRead },
  "chat/create": { POST: createChat },
  "chat/file": { GET: readFile },
  "chat/message": { POST: postMessage },
  "chat/mine": { GET: listOwnChats },
  "chat/responses": { GET: listResponses, POST: createResponse },
  "chat/responses/:id": { PATCH: updateResponse, DELETE: deleteResponse },
  "chat/settings": { GET: readSettings, PATCH: updateSettings },
  customer: { GET: readCustomers, POST: addCustomer },
  "customer/:customerId/merge": { POST: mergeCustomer },
  "customer/:id": { GET: readCustomer, PATCH: changeCustomer },
  "customer/:id/timeline": { GET: readTimeline },
  expense: { POST: expenses.add },
  "expense/:id": { PUT: expenses.update, DELETE: expenses.delete },
  "expense/all": { GET: expenses.list },
  "expense/totalExpensesAmount": { GET: readExpenseTotals },
  "expense/year/:year": { GET: expensesByYear },
  favourite: { GET: listFavourites },
  "favourite/:productId": { PUT: addFavourite, DELETE: removeFavourite },
  hold: { POST: placeHold },
  "hold/:id": { PATCH: extendHold, DELETE: releaseHold },
  invoice: { POST: invoices.add },
  "invoice/:id": { PUT: invoices.update, DELETE: invoices.delete },
  "invoice/all": { GET: invoices.list },
  product: { POST: createProduct },
  "product/:id": { PUT: updateProduct, DELETE: deleteProduct },
  "product/:id/movements": { GET: readMovements },
  "product/all": { GET: listProducts },
  "product/bulk-upload": { POST: importProducts },
  "product/categories": { GET: listCategories },
  "product/category/:category": { GET: listCategoryProducts },
  "product/id/:id": { GET: readProduct },
  "product/random": { GET: listRandomProducts },
  "product/suggest": { GET: suggest },
  push: { POST: subscribe, DELETE: unsubscribe },
  quote: { POST: sendQuote },
  "quote/:id": { PATCH: changeQuote },
  sale: { GET: listSales, POST: recordSale },
  "sale/:id": { GET: getDocument },
  "sale/:id/mail": { POST: mailReceipt },
  "sale/:saleId/credit": { POST: creditSale },
  "sale/all": { GET: readTotals },
  "sale/category": { GET: salesByCategory },
  "sale/year/:year": { GET: salesByYear },
  "storage/object": { GET: readObject },
  "storage/upload": { POST: uploadImages },
  user: { POST: createUser },
  "user/:id": { PUT: updateAccount, DELETE: deleteUser },
  "user/all": { GET: listUsers },
  "user/change-password": { PUT: changePassword },
};

let built: ReturnType<typeof openApiDocument> | undefined;

/** Builds the document once: it is the same for every request. */
function documentOf(name: string) {
  built ??= openApiDocument(API_ROUTES, name);
  return built;
}

/** GET openapi.json: the API as an OpenAPI 3.1 document. */
export const readOpenApi = operation({
  access: "anyone",
  input: z.object({}),
  cacheable: true,
  run: async ({ settings }) => documentOf(settings.name),
});

/** Formats the example of a body; null without one. */
function exampleText(body: { content: Record<string, { example?: unknown }> } | undefined): string | null {
  const example = Object.values(body?.content ?? {})[0]?.example;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

/** Reads the routes of the API for its page, by their first segment. */
export const readApiPage = operation({
  access: "anyone",
  input: z.object({}),
  async run({ settings }) {
    const { paths, webhooks } = documentOf(settings.name);
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags, summary, description, requestBody, responses }]) => ({
        tag: tags[0] ?? "",
        call: `${method.toUpperCase()} ${path}`,
        summary,
        access: description,
        sends: exampleText(requestBody),
        answers: exampleText(Object.values(responses)[0]),
        errors: Object.keys(responses).filter((status) => Number(status) >= 400),
      })),
    );
    const groups = Map.groupBy(calls, ({ tag }) => tag);
    const events = Object.entries(webhooks).map(([event, { post }]) => ({
      event,
      summary: post.summary,
      example: exampleText(post.requestBody) ?? "",
    }));
    return {
      url: `${settings.url}/api`,
      keys: KEYS,
      webhooks: WEBHOOKS,
      events,
      groups: [...groups].map(([tag, own]) => ({ tag, heading: HEADINGS[tag] ?? tag, calls: own })),
    };
  },
});
export type ApiPageData = ResultOf<typeof readApiPage>;
