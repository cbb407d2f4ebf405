// Imports the largest files into shops whose engine may have a heap of some size: node bench/import-memory.mjs [MB].
// An engine that needs more ends. docs/operations.md, Limits of the platform, has what was found.
import { freshShop } from "./shops.mjs";
import { csvOf, signIn, variantsOf } from "./upload.mjs";

/** Half of what an isolate may have. */
const HALF_MB = 64;
/** As many of the longest texts as a file may have: their form for the search is 18 times as long. */
const LONG_TEXTS = 42;
const LONGEST = "ﷺ".repeat(12_500);

const megabytes = Number(process.argv[2] ?? HALF_MB);
const files = {
  "10,000 products with 40,000 variants": variantsOf(),
  "the longest texts": csvOf([
    ["name", "price", "description"],
    ...Array.from({ length: LONG_TEXTS }, (_, i) => [`Vase ${i}`, 5, LONGEST]),
  ]),
};
for (const [what, file] of Object.entries(files))
  console.log(
    `heap of ${megabytes} MB, ${what}, file of ${Buffer.byteLength(file)} bytes: ${await outcome(file)}`,
  );

/** @returns {Promise<string>} answer of the shop, or that its engine has ended */
async function outcome(file) {
  const shop = await freshShop({ MINIFLARE_WORKERD_V8_FLAGS: `--max-heap-size=${megabytes}` });
  try {
    const headers = { Authorization: `Bearer ${await signIn(shop.url)}` };
    const body = new FormData();
    body.append("file", new File([file], "products.csv"));
    const answer = await fetch(`${shop.url}/api/product/bulk-upload`, { method: "POST", headers, body });
    return (await answer.json()).message;
  } catch (error) {
    return `does not fit (${error.cause?.message ?? error.message})`;
  } finally {
    await shop.stop();
  }
}
