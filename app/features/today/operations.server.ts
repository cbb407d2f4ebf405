import { z } from "zod";
import { type Business, type BusinessNames, businessName } from "~/domain/enums";
import { unitName } from "~/domain/unit-name";
import { consoleUrl } from "~/features/chat/console-params";
import { EmptyInput } from "~/features/chat/schema";
import { stockOf } from "~/features/inventory/list-params";
import { paidText } from "~/features/sales/deposit";
import { itemsText, personView, visitorOf } from "~/features/sales/holds-and-quotes/page.server";
import type { QuoteRow } from "~/features/sales/queries/hold-quote-list.server";
import { drawerUrl, recordUrl } from "~/features/sales/urls";
import { Count, Id, Time } from "~/http/answers";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { countWaiting, readWaiting } from "./waiting.server";

const Row = z.object({
  id: Id,
  title: z.string().meta({ examples: ["Ines Carvalho"] }),
  text: z.string().meta({ examples: ["1 × Umbrella with a wooden handle"] }),
  at: Time.nullable().meta({
    description: "Since when a conversation or work waits or a unit is scarce; end of a hold or quote",
  }),
  readyBy: z
    .string()
    .nullable()
    .meta({ description: "Day that a job is promised for", examples: ["2026-12-01"] }),
  path: z.string().meta({ description: "Page of the back office", examples: ["/admin/chat?chat=4f2a"] }),
  acts: z.array(
    z.object({
      name: z.enum(["answer", "put back", "extend", "sold", "withdraw", "ready", "add stock", "close"]),
      method: z.enum(["GET", "PATCH", "PUT", "DELETE"]),
      path: z.string().meta({ description: "Page for GET, else call", examples: ["/api/hold/4f2a"] }),
    }),
  ),
});
type Row = z.infer<typeof Row>;

const Today = z
  .object({
    waiting: Count.meta({ description: "Conversations, and up to 10 of the holds, quotes and jobs" }),
    conversations: z.array(Row),
    holds: z.array(Row),
    quotes: z.array(Row),
    jobs: z.array(Row).meta({ description: "Accepted quotes whose work is to be done" }),
    pickUps: z.array(Row).meta({ description: "Accepted quotes whose work waits for being fetched" }),
    stock: z.array(Row),
    drawers: z.array(Row).meta({ description: "Open cash drawers" }),
    problems: z.array(z.string()).meta({ description: "Of the night and of backups, for admins" }),
  })
  .meta({ id: "Today", description: "What waits, at most 4 rows of each kind" });

/** Reads what waits today, each with the path of its act. */
export const readToday = operation({
  route: "GET today",
  summary: "List what waits today",
  answer: Today,
  access: "staff",
  input: EmptyInput,
  async run(context) {
    const [waiting, { chats, holds, quotes, jobs, pickUps, scarce, drawers, night }] = await Promise.all([
      resultOrNull(countWaiting(context)),
      readWaiting(context),
    ]);
    const { timezone } = context.settings;
    return {
      waiting: waiting?.count ?? 0,
      conversations: (chats ?? []).map(({ id, userName, createdAt, lastMessage, waitingSince }) => {
        const { name, chatUrl } = personView(visitorOf({ id, userName, createdAt }), timezone);
        const path = chatUrl ?? consoleUrl();
        const acts = [{ name: "answer", method: "GET", path }] satisfies Row["acts"];
        const at = timestamp(Math.floor(waitingSince / 1000));
        return { id, title: name, text: lastMessage, at, readyBy: null, path, acts };
      }),
      holds: (holds?.rows ?? []).map((hold) => holdRow(hold, timezone)),
      quotes: (quotes?.rows ?? []).map((quote) => quoteRow(quote, timezone)),
      jobs: (jobs?.rows ?? []).map((quote) => jobRow(quote, timezone)),
      pickUps: (pickUps?.rows ?? []).map((quote) => jobRow(quote, timezone)),
      stock: (scarce ?? []).map(stockRow),
      drawers: (drawers ?? []).map((drawer) => drawerRow(drawer, context.settings.businesses)),
      problems: (night?.problems ?? []).map(({ message }) => message),
    };
  },
});

type Waiting = Awaited<ReturnType<typeof readWaiting>>;
type EndingHold = NonNullable<Waiting["holds"]>["rows"][number];
type ScarceUnit = NonNullable<Waiting["scarce"]>[number];

function holdRow({ id, until, items, ...row }: EndingHold, timezone: string): Row {
  const { name, to } = personView(row, timezone);
  const call = `/api/hold/${encodeURIComponent(id)}`;
  return {
    ...{ id, title: name, at: timestamp(until), readyBy: null, path: to ?? recordUrl({ holdId: id }) },
    text: itemsText(items),
    acts: [
      { name: "put back", method: "DELETE", path: call },
      { name: "extend", method: "PATCH", path: call },
      { name: "sold", method: "GET", path: recordUrl({ holdId: id }) },
    ],
  };
}

function quoteRow({ id, title, validUntil, ...row }: QuoteRow, timezone: string): Row {
  const { name, chatUrl } = personView(row, timezone);
  return {
    ...{ id, title: name, text: title, at: timestamp(validUntil), readyBy: row.readyBy || null },
    path: chatUrl ?? consoleUrl(),
    acts: [{ name: "withdraw", method: "PATCH", path: `/api/quote/${encodeURIComponent(id)}` }],
  };
}

function jobRow(quote: QuoteRow, timezone: string): Row {
  const { id, title, paidCents, ...row } = quote;
  const { name, chatUrl } = personView(row, timezone);
  return {
    ...{
      id,
      title: name,
      text: paidCents > 0 ? `${title}, ${paidText(quote)}` : title,
      at: row.readyAt === null ? null : timestamp(row.readyAt),
      readyBy: row.readyBy || null,
      path: chatUrl ?? consoleUrl(),
    },
    acts: [
      ...(row.readyAt === null
        ? [
            {
              name: "ready" as const,
              method: "PUT" as const,
              path: `/api/quote/${encodeURIComponent(id)}/ready`,
            },
          ]
        : []),
      { name: "sold", method: "GET", path: recordUrl({ quoteId: id }) },
    ],
  };
}

function stockRow({ unitId, productId, name, values, stock, change }: ScarceUnit): Row {
  const path = stockOf({ unitId, productId, name });
  return {
    ...{ id: unitId, title: unitName(name, values), at: change && timestamp(change.at), readyBy: null, path },
    text: stock === 0 ? "Out" : `${stock} left`,
    acts: [{ name: "add stock", method: "GET", path }],
  };
}

type OpenDrawer = NonNullable<Waiting["drawers"]>[number];

function drawerRow({ businessType, day, openedAt }: OpenDrawer, businessNames: BusinessNames): Row {
  const path = drawerUrl(businessType);
  return {
    ...{
      id: businessType,
      title: businessName(businessType as Business, businessNames),
      readyBy: null,
      path,
    },
    text: `Open since ${day}`,
    at: timestamp(openedAt),
    acts: [{ name: "close", method: "GET", path }],
  };
}

/** Counts what waits, for the navigation of every page of the back office. */
export const countToday = operation({
  access: "staff",
  input: PageInput,
  run: (context: StaffContext) => resultOrNull(countWaiting(context)),
});
