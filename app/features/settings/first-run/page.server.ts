import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { findStepsDone } from "../queries.server";

/** Steps of a new shop; null once it sells, or once somebody has closed the list. */
export type FirstRun = ResultOf<typeof readFirstRun>;

/** Reads the steps that lead the first admin of an empty shop to its first sale. */
export const readFirstRun = operation({
  access: "staff",
  input: PageInput,
  async run({ db, settings, user }) {
    if (!user.isAdmin || settings.isSetUp) return null;
    const done = await resultOrNull(findStepsDone(db));
    if (!done || done.sale) return null;
    return STEPS.map(({ name, ...step }) => ({ ...step, isDone: done[name] === 1 }));
  },
});

const STEPS = [
  {
    name: "shop",
    title: "Name, address and e-mail",
    text: "They stand in the shop, on receipts and in mails.",
    act: "Shop",
    to: "/admin/settings",
  },
  {
    name: "hours",
    title: "Opening hours",
    text: "Shoppers read when you are there; holds end at closing time.",
    act: "Hours",
    to: "/admin/settings?group=hours",
  },
  {
    name: "tax",
    title: "Tax",
    text: "For a business that is registered. Without a number no tax is stated.",
    act: "Tax",
    to: "/admin/settings?group=sales#tax",
  },
  {
    name: "product",
    title: "First product",
    text: "Type one, or bring the file of your old shop.",
    act: "Products",
    to: "/admin/products-management",
  },
  {
    name: "colleague",
    title: "First colleague",
    text: "Whoever answers and sells beside you.",
    act: "Users",
    to: "/admin/users-management",
  },
  {
    name: "sale",
    title: "First sale",
    text: "At the counter, or from a conversation.",
    act: "Record sale",
    to: "/admin/sales/new",
  },
] as const;
