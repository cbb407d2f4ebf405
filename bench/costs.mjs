// Cost model: `npm run cost` computes docs/costs.md from the measured actions, the mix of traffic and the list prices
// (bench/costs.json); `npm run cost -- --measure` measures the actions anew (tests/budgets/d1/costs.test.ts).
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const MODEL = path("costs.json");
const ACTIONS = path("measured-actions.json");
const DOCUMENT = path("../docs/costs.md");
const SECONDS_OF_A_MONTH = 30 * 86_400;
const BEGIN = "<!-- computed by npm run cost -->";
const END = "<!-- end of what is computed -->";

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** Adds up what a month with a number of page views uses. */
export function monthOf(views, { mixPer1000Views: mix, assumptions }, actions) {
  const use = {};
  for (const [action, per1000] of Object.entries(mix)) {
    const times = (views / 1000) * per1000;
    for (const [counter, amount] of Object.entries(actions[action]))
      use[counter] = (use[counter] ?? 0) + times * amount;
  }
  const pages =
    (views / 1000) * (mix.home + mix.shop + mix.product + mix.search + mix.dashboard + mix.console);
  const { cpuMsPerPage, cpuMsPerCall, objectMsPerRequest, objectGb } = assumptions;
  use.cpuMs = pages * cpuMsPerPage + (use.requests - pages) * cpuMsPerCall;
  use.objectGbSeconds = (use.objectRequests * objectMsPerRequest * objectGb) / 1000;
  return use;
}

/** Prices a month. @returns dollars by counter, and `total` with the base price */
export function priceOf(use, { base, prices }) {
  const cost = Object.fromEntries(
    Object.entries(prices).map(([counter, { included, per, price }]) => [
      counter,
      (Math.max(0, (use[counter] ?? 0) - included) / per) * price,
    ]),
  );
  return { ...cost, total: base + Object.values(cost).reduce((sum, each) => sum + each, 0) };
}

/** Compares a month with the limits of one database and one object. */
export function limitsOf(use, { limits, assumptions }) {
  const perSecond = (amount) => (amount / SECONDS_OF_A_MONTH) * assumptions.peak;
  return {
    d1Queries: perSecond(use.queries) / limits.d1QueriesPerSecond,
    adminRoom: perSecond(use.objectRequests) / limits.objectRequestsPerSecond,
    monthsOfStorage: limits.d1Bytes / use.bytes,
  };
}

const number = (value) =>
  value >= 1e9
    ? `${(value / 1e9).toFixed(1)} B`
    : value >= 1e6
      ? `${(value / 1e6).toFixed(1)} M`
      : value >= 10e3
        ? `${Math.round(value / 1e3)} k`
        : String(Math.round(value * 10) / 10);
const dollars = (value) => `$${value.toFixed(2)}`;
const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const table = (rows) =>
  rows
    .map((cells, i) => `| ${cells.join(" | ")} |${i === 0 ? `\n|${cells.map(() => "---").join("|")}|` : ""}`)
    .join("\n");

/** Writes the computed part of the document. */
export function computed(model, actions) {
  const counters = Object.keys(Object.values(actions)[0]);
  const months = model.views.map((views) => {
    const use = monthOf(views, model, actions);
    return { use, cost: priceOf(use, model), limits: limitsOf(use, model) };
  });
  const heads = model.views.map((views) => `${number(views)} views`);
  const uses = Object.entries(model.prices).map(([counter, { label }]) => [
    label,
    ...months.map(({ use, cost }) => `${number(use[counter] ?? 0)} (${dollars(cost[counter])})`),
  ]);
  const limits = [
    ["D1 queries per second at the peak, of one database", "d1Queries"],
    ["Requests per second at the peak, if one object took all", "adminRoom"],
  ].map(([label, name]) => [label, ...months.map((month) => percent(month.limits[name]))]);
  const names = Object.entries(actions);
  return [
    table([
      ["action", "per 1,000 views", ...counters],
      ...names.map(([action, use]) => [
        action,
        model.mixPer1000Views[action],
        ...counters.map((counter) => use[counter]),
      ]),
    ]),
    table([
      ["a month", ...heads],
      ...uses,
      ["**Total with the base price**", ...months.map(({ cost }) => `**${dollars(cost.total)}**`)],
    ]),
    table([
      ["share of a limit", ...heads],
      ...limits,
      ["Months until the database has 10 GB", ...months.map((month) => number(month.limits.monthsOfStorage))],
    ]),
  ].join("\n\n");
}

/** Returns the document with its computed part renewed. */
export function renewed(document, model, actions) {
  const [before] = document.split(BEGIN);
  const [, after] = document.split(END);
  return `${before}${BEGIN}\n\n${computed(model, actions)}\n\n${END}${after}`;
}

function measure() {
  const args = ["vitest", "run", "--project", "worker", "tests/budgets/d1/costs.test.ts"];
  const { stdout } = spawnSync("npx", args, { encoding: "utf8", maxBuffer: 1e8 });
  const [, json] = /MEASURED (\{.*\})/.exec(stdout) ?? [];
  if (!json) throw new Error(`Nothing was measured:\n${stdout.slice(-3000)}`);
  writeFileSync(ACTIONS, `${JSON.stringify(JSON.parse(json), null, 2)}\n`);
}

/** Reads the inputs and the document. */
export const inputs = () => ({
  model: readJson(MODEL),
  actions: readJson(ACTIONS),
  document: readFileSync(DOCUMENT, "utf8"),
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--measure")) measure();
  const { model, actions, document } = inputs();
  writeFileSync(DOCUMENT, renewed(document, model, actions));
  console.log(computed(model, actions));
}
