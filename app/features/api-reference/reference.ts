import { z } from "zod";
import { StaffChangesInput } from "~/features/accounts/schema";
import { ChatMessage, ChatView, ReadMark } from "~/features/chat/protocol";
import type { WebhookEvent } from "~/features/integrations/schema";
import * as answers from "./answers";

/** Description of one method of a route. */
export interface Described {
  summary: string;
  /** Body of the success; `file` for bytes of another type. */
  answer: z.ZodType | "file";
  /** Body, where the operation's input leaves it to rules that depend on the caller. */
  body?: z.ZodType;
  /** Statuses of errors besides those that access, input and limits imply. */
  errors?: number[];
  /** Pages through `limit` and `offset`, with X-Total-Count. */
  isList?: boolean;
}

type Methods = Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", Described>>;

const list = (summary: string, row: z.ZodType, errors: number[] = []): Described => ({
  summary,
  answer: z.array(row),
  errors,
  isList: true,
});
const one = (summary: string, answer: Described["answer"], errors: number[] = []): Described => ({
  summary,
  answer,
  errors,
});
const { Notice, User, Product, Invoice, Expense, Document, Hold, Quote, Customer, AutoResponse } = answers;
const History = z.object({
  chat: ChatView,
  messages: z.array(ChatMessage),
  reads: z.object({ visitor: ReadMark, staff: ReadMark }),
});
const unread = z.object({ unreadCount: z.int().min(0) });
const entryErrors = [404, 409];

/** Meaning of the statuses of errors. */
export const ERRORS: Record<number, string> = {
  400: "Invalid input",
  401: "Not signed in, or an API key that is not valid",
  403: "Not permitted",
  404: "Not found",
  409: "Conflict with what is stored",
  413: "Body too large",
  415: "Unsupported type of body",
  429: "Too many requests; Retry-After tells when to try again",
  500: "Internal error",
  503: "Temporarily unavailable; Retry-After tells when to try again",
};

/** Headings of the page of the API, by the first segment of the routes. */
export const HEADINGS: Record<string, string> = {
  auth: "Sign-in",
  product: "Products",
  storage: "Pictures",
  user: "Users",
  invoice: "Sales entries",
  expense: "Expenses",
  sale: "Sales",
  hold: "Holds",
  quote: "Quotes",
  customer: "Customers",
  chat: "Conversations",
  push: "Notifications",
  favourite: "Favourites",
};

/** Rules of API keys and of webhooks, which the page of the API shows too. */
export const KEYS =
  "API key of a member of staff, made in the back office under Integrations. It acts as its owner, with the scope read only in GET, changes no accounts, and is sent in this header alone: a key in the URL is refused. 600 calls a minute.";
export const WEBHOOKS =
  "Signed as Standard Webhooks (standardwebhooks.com) says: webhook-id, webhook-timestamp and webhook-signature, an HMAC-SHA256 with the secret of the webhook. An answer of 2xx within 10 seconds accepts the event; redirects are not followed. A refused one is sent six times in 22 hours, with the same id; the order is not guaranteed.";

/** Describes every method of every route, by the path below /api. A test compares it with the routes. */
export const REFERENCE: Record<string, Methods> = {
  "auth/login": { POST: one("Sign in", answers.SignedIn, [401, 403]) },
  "auth/signup": { POST: one("Create an account", answers.SignedIn, [409]) },
  "auth/logout": { POST: one("Sign out", Notice) },
  "auth/me": { GET: one("Read the caller's account", User) },
  "auth/forgot-password": { POST: one("Mail a link that resets the password", Notice) },
  "auth/reset-password": { POST: one("Set a password with a mailed link", Notice) },

  "product/all": { GET: list("List products", Product) },
  "product/categories": { GET: one("List the categories that have products", z.array(z.string())) },
  "product/category/{category}": { GET: list("List the products of a category", Product) },
  "product/random": { GET: list("List 8 random products, in stock first", Product) },
  "product/suggest": { GET: one("Suggest products and categories for a search", answers.Suggestions) },
  "product/id/{id}": { GET: one("Read a product", Product) },
  product: { POST: one("Add a product", z.object({ productId: z.string(), id: z.string() }), [409]) },
  "product/{id}": {
    PUT: one("Change a product; missing fields stay", Product, [409]),
    DELETE: one("Delete a product", Notice),
  },
  "product/{id}/movements": { GET: list("List the changes of a product's stock", answers.Movement) },
  "product/bulk-upload": { POST: one("Import a spreadsheet of products", answers.ImportResult, [404, 409]) },

  "storage/upload": { POST: one("Store pictures", z.object({ objectKeys: z.array(z.string()) }), [404]) },
  "storage/object": { GET: one("Read a picture", "file", [404]) },

  "user/all": { GET: list("List users", User) },
  user: { POST: one("Add a user", User, [409]) },
  "user/{id}": {
    PUT: { ...one("Change a user; missing fields stay", User, [409, 429]), body: StaffChangesInput },
    DELETE: one("Delete a user", Notice, [409]),
  },
  "user/change-password": {
    PUT: one("Change the caller's password", Notice.extend({ user: User.optional() })),
  },

  "invoice/all": { GET: list("List sales entries of the ledger", Invoice) },
  invoice: { POST: one("Add a sales entry", Invoice, [409]) },
  "invoice/{id}": {
    PUT: one("Change a sales entry", Invoice, entryErrors),
    DELETE: one("Delete a sales entry", Notice.extend({ deleted: Invoice }), entryErrors),
  },
  "expense/all": { GET: list("List expenses", Expense) },
  expense: { POST: one("Add an expense", Expense, [409]) },
  "expense/{id}": {
    PUT: one("Change an expense", Expense, entryErrors),
    DELETE: one("Delete an expense", Notice.extend({ deleted: Expense }), entryErrors),
  },
  "sale/all": { GET: one("Read the sums of sales", answers.SaleFigures) },
  "sale/year/{year}": { GET: one("Read the sales of each month of a year", answers.Months) },
  "sale/category": { GET: one("Read the sales of each category", answers.Categories) },
  "expense/year/{year}": { GET: one("Read the expenses of each month of a year", answers.Months) },
  "expense/totalExpensesAmount": { GET: one("Read the sums of expenses", answers.ExpenseFigures) },

  sale: {
    GET: list("List documents", Document),
    POST: one("Record a sale", z.object({ documents: z.array(Document) }), entryErrors),
  },
  "sale/{id}": { GET: one("Read a document", Document) },
  "sale/{saleId}/credit": { POST: one("Credit lines of a sale", Document, [409]) },
  "sale/{id}/mail": { POST: one("Mail a receipt", z.object({ to: z.string(), isSent: z.boolean() }), [409]) },
  favourite: { GET: list("List the caller's favourites, latest first", Product) },
  "favourite/{productId}": {
    PUT: one("Add a favourite; at most 200", answers.Favourite, [404, 409]),
    DELETE: one("Remove a favourite", answers.Favourite),
  },
  hold: { POST: one("Set products aside", Hold, entryErrors) },
  "hold/{id}": {
    PATCH: one("Extend a hold", Hold, [409]),
    DELETE: one("Release a hold", Hold, [401, 403, 409]),
  },
  quote: { POST: one("Send a quote", Quote, entryErrors) },
  "quote/{id}": { PATCH: one("Accept, decline or withdraw a quote", Quote, [401, 403, 409]) },
  customer: {
    GET: list("List customers", Customer),
    POST: one("Add a customer", Customer, entryErrors),
  },
  "customer/{id}": {
    GET: one("Read a customer", Customer),
    PATCH: one("Change a customer; missing fields stay", Customer, [409]),
  },
  "customer/{customerId}/merge": { POST: one("Merge another customer into this one", Customer, [409]) },
  "customer/{id}/timeline": {
    GET: one("List a customer's chats, holds, quotes and documents", answers.Timeline),
  },

  chat: { GET: list("List chats, latest first", ChatView) },
  "chat/create": {
    POST: one("Begin or continue a chat", z.object({ chatId: z.string() }), [404, 409]),
  },
  "chat/mine": { GET: one("List the caller's conversations", answers.OwnChats) },
  "chat/message": { POST: one("Send a message", ChatMessage, [401, 403, 404, 409]) },
  "chat/file": { GET: one("Read a file of a chat", "file", [404]) },
  "chat/{id}": {
    PATCH: one("Rename, assign, close or reopen a chat", ChatView, [409]),
    DELETE: one("Delete a chat", Notice),
  },
  "chat/{id}/messages": { GET: one("Read a chat with its messages", History, [401, 403]) },
  "chat/{id}/read": { PATCH: one("Mark messages as read", unread, [401, 403]) },
  "chat/responses": {
    GET: list("List the predefined responses", AutoResponse),
    POST: one("Add a response", AutoResponse),
  },
  "chat/responses/{id}": {
    PATCH: one("Change a response; missing fields stay", AutoResponse, [409]),
    DELETE: one("Delete a response", Notice, [409]),
  },
  "chat/settings": {
    GET: one("Read the chat's settings", answers.ChatSettings),
    PATCH: one("Change the chat's settings", answers.SavedChatSettings, [409]),
  },
  push: {
    POST: one("Receive notifications", Notice, [401, 403, 404]),
    DELETE: one("Stop notifications", Notice),
  },
};

const LowStock = z.object({
  productId: z.string(),
  name: z.string(),
  stock: z.int().min(0),
  available: z.int().min(0),
  threshold: z.int().min(0),
});

/** Time of an event. */
export const TIMESTAMP = z.string().meta({ description: "ISO 8601", examples: ["2026-11-22T15:00:00.000Z"] });

/** Describes the events of webhooks. */
export const EVENTS: Record<WebhookEvent, { summary: string; data: z.ZodType }> = {
  "sale.recorded": { summary: "A sale was recorded; one event for each document", data: Document },
  "chat.message": {
    summary: "A visitor or a member of staff wrote in a conversation; the event has the whole text",
    data: ChatMessage,
  },
  "stock.low": {
    summary: "What is available of a product fell to the limit of the webhook, once for each fall",
    data: LowStock,
  },
  "product.changed": {
    summary:
      "A product was added, changed or deleted (then null), or its stock has changed; without its description",
    data: z.object({
      productId: z.string(),
      product: Product.omit({ description: true, productId: true }).nullable(),
    }),
  },
};
