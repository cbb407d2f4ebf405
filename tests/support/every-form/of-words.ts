import { type FormShop, next, post, staff } from "./shop.ts";

const path = "/admin/settings?group=search";
const pair = () => ({ word: `zarf${next()}`, meaning: "cup" });

const added = (shop: FormShop) => post<{ word: string; meaning: string }>(shop, "search/words", pair());

/** Forms of the words of the search. */
export const WORDS = [
  staff("words addWord", async () => ({ path, fields: pair() })),
  staff("words changeWord", async (shop) => {
    const was = { ...(await added(shop)), direction: "both" };
    return { path, fields: { ...pair(), direction: "first", was: JSON.stringify(was) } };
  }),
  staff("words removeWord", async (shop) => {
    const { word, meaning } = await added(shop);
    return { path, fields: { word, meaning } };
  }),
];
