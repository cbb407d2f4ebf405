import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { deploy } from "../../scripts/deploy.mjs";

const ANSWERS: Record<string, string> = {
  d1: "No migrations to apply!",
  secret: '[{"name":"COOKIE_SECRET"}]',
  deploy: "",
};

const CONFIG = {
  vars: {
    SHOP_URL: "https://walnut-ash.ca",
    SUPPORT_EMAIL: "hello@walnut-ash.ca",
    LEGAL_EMAIL: "legal@walnut-ash.ca",
    MAIL_FROM: "no-reply@walnut-ash.ca",
    SHOP_PHONE: "+1 416 867 5309",
    SELLER_SMS: "+14168675309",
    SHOP_ADDRESS: "",
    SHOP_HOURS: "Daily: 9:00 to 17:00",
    SHOP_PICKUP: "at the door",
    SHOP_REGION: "enam",
  },
  d1_databases: [{ database_id: "5b4d9c1e-52f1-4d0e-8a34-7f2f6d9a1c55" }],
  routes: [{ pattern: "walnut-ash.ca", custom_domain: true }],
  workers_dev: false,
};

/** Deploys to an imagined account. @param readiness answers of /readyz, the last one repeated */
async function deployWith(change: {
  /** Variables that differ. */
  vars?: Record<string, string>;
  config?: object;
  answers?: object;
  /** Error of every call of wrangler but the deployment. */
  error?: string;
  isBroken?: boolean;
  readiness?: object[];
  cookieSecret?: string;
}) {
  const calls: string[] = [];
  const notes: string[] = [];
  const readiness = [...(change.readiness ?? [{ failing: [] }])] as { failing: string[] }[];
  const problems = await deploy({
    config: { ...CONFIG, vars: { ...CONFIG.vars, ...change.vars }, ...change.config },
    say: (note) => notes.push(note),
    ...(change.cookieSecret !== undefined && { cookieSecret: change.cookieSecret }),
    wrangler: (args) => {
      calls.push(args.join(" "));
      if (change.error !== undefined) return { status: 1, stdout: "", stderr: change.error };
      return { status: 0, stdout: { ...ANSWERS, ...change.answers }[args[0] ?? ""] ?? "" };
    },
    build: () => {
      calls.push("build");
      return !change.isBroken;
    },
    get: async () => {
      const next = (readiness.length > 1 ? readiness.shift() : readiness[0]) ?? { failing: [] };
      return { status: next.failing.length > 0 ? 503 : 200, json: async () => next };
    },
    pause: async () => undefined,
  });
  return { problems, calls, notes, isDeployed: calls.includes("deploy") };
}

describe("npm run deploy", () => {
  it("deploys and waits until the shop is ready", async () => {
    const readiness = [{ failing: ["room"] }, { failing: ["room"] }, { failing: [] }];
    const { problems, calls } = await deployWith({ readiness });
    expect(problems).toEqual([]);
    expect(calls.slice(-2)).toEqual(["build", "deploy"]);
  });

  it.each([
    ["a local SHOP_URL", { vars: { SHOP_URL: "http://localhost:8787" } }],
    ["no database", { config: { d1_databases: [{ database_id: "00000000-0000-0000-0000-000000000000" }] } }],
    ["a demo address", { vars: { SHOP_ADDRESS: "214 Queen Street West, Toronto" } }],
    ["a demo phone", { vars: { SELLER_SMS: "+14165550142" } }],
    ["no phone, for which the demo's would be shown", { vars: { SHOP_PHONE: "" } }],
    ["a demo mail address", { vars: { SUPPORT_EMAIL: "hello@emporia.example" } }],
    ["the guide's address", { vars: { SHOP_URL: "https://shop.your-domain.com" } }],
    ["an address that nobody can own", { vars: { SHOP_URL: "https://Shop.Example.org:8443/" } }],
    ["a reserved address", { vars: { SHOP_URL: "https://shop.localhost" } }],
    ["a mail address at example.com", { vars: { SUPPORT_EMAIL: "help@example.com" } }],
    ["a sender at a name of example.net", { vars: { MAIL_FROM: "no-reply@mail.example.net" } }],
    ["a mail address of tests", { vars: { LEGAL_EMAIL: "legal@shop.test" } }],
    ["an invalid mail address", { vars: { LEGAL_EMAIL: "legal@shop.invalid" } }],
    ["a link to nobody's profile", { vars: { SOCIAL_TIKTOK: "https://www.tiktok.com/" } }],
    ["an unknown region", { vars: { SHOP_REGION: "toronto" } }],
    ["missing migrations", { answers: { d1: "Migrations to be applied: 0024" } }],
    ["no COOKIE_SECRET", { answers: { secret: "[]" } }],
    ["a short COOKIE_SECRET", { cookieSecret: "x".repeat(31) }],
    [
      "settings that the running version rejects",
      { readiness: [{ failing: ["settings"], checks: [{ name: "settings", ok: false, detail: "short" }] }] },
    ],
  ])("deploys nothing with %s", async (_, change) => {
    const { problems, calls } = await deployWith(change);
    expect(problems).toHaveLength(2);
    expect(calls).not.toContain("build");
    expect(calls).not.toContain("deploy");
  });

  it("prints wrangler's own error without colours, and claims nothing about secrets", async () => {
    const error =
      '\n\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mA request to the Cloudflare API failed.\u001b[0m\n\n  The database is gone [code: 7404]\n\n\u{1fab5}  Logs were written to "/home/x.log"\n';
    const { problems } = await deployWith({ error, cookieSecret: "short" });
    expect(problems).toEqual([
      expect.stringMatching(
        /unknown:\nA request to the Cloudflare API failed\.\nThe database is gone \[code: 7404\]$/,
      ),
      "COOKIE_SECRET of this environment has fewer than 32 bytes.",
      "Nothing was deployed.",
    ]);
    expect((await deployWith({ error: "" })).problems.join(" ")).toContain("npx wrangler login");
  });

  it("names every value of the repository's wrangler.toml that belongs to the demo", async () => {
    const config = unstable_readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") });
    const { problems, calls } = await deployWith({ config });
    const names = problems.map((problem) => problem.split(" ")[0]);
    expect(names.sort()).toEqual(
      [
        ...[
          "LEGAL_EMAIL",
          "MAIL_FROM",
          "Nothing",
          "SELLER_SMS",
          "SHOP_ADDRESS",
          "SHOP_MAP_URL",
          "SHOP_PHONE",
        ],
        ...[
          "SHOP_URL",
          "SOCIAL_FACEBOOK",
          "SOCIAL_INSTAGRAM",
          "SOCIAL_TIKTOK",
          "SUPPORT_EMAIL",
          "database_id",
        ],
      ].sort(),
    );
    expect(calls).toEqual([]);
  });

  it.each<Record<string, string>>([
    { SUPPORT_EMAIL: "help@counterexample.com", MAIL_FROM: "no-reply@for-example.org" },
    { SHOP_URL: "https://example.com.walnut-ash.ca" },
  ])("deploys with domains that look like placeholders: %o", async (vars) => {
    expect((await deployWith({ vars })).problems).toEqual([]);
  });

  it("asks about hours and pickup of the demo, which may be the shop's", async () => {
    const { vars } = unstable_readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") });
    const { SHOP_HOURS = "", SHOP_PICKUP = "" } = vars as Record<string, string>;
    const { notes, isDeployed } = await deployWith({ vars: { SHOP_HOURS, SHOP_PICKUP } });
    expect(notes.filter((note) => note.includes("demo's")).map((note) => note.split(" ")[0])).toEqual([
      "SHOP_HOURS",
      "SHOP_PICKUP",
    ]);
    expect(isDeployed).toBe(true);
    expect((await deployWith({})).notes.join(" ")).not.toContain("demo's");
  });

  it.each([
    ["auto", "is on"],
    ["disabled", "is off"],
  ])("says whether read replication is on: %s", async (mode, words) => {
    const answers = { d1: `No migrations to apply! {"read_replication": {"mode": "${mode}"}}` };
    const { notes, isDeployed } = await deployWith({ answers });
    expect(notes.join(" ")).toContain(`Read replication of the database ${words}`);
    expect(isDeployed).toBe(true);
  });

  it("warns of an address without a cache of the data centres", async () => {
    const { notes } = await deployWith({ vars: { SHOP_URL: "https://emporia.someone.workers.dev" } });
    expect(notes.join(" ")).toContain("no cache of its own data centres");
    const { notes: others } = await deployWith({ config: { routes: [], workers_dev: undefined } });
    expect(others.join(" ")).toMatch(/No route .*walnut-ash\.ca.*workers_dev = false/);
  });

  it("deploys no broken build", async () => {
    const { problems, isDeployed } = await deployWith({ isBroken: true });
    expect(problems).toEqual(["The build failed.", "Nothing was deployed."]);
    expect(isDeployed).toBe(false);
  });

  it("names what is not ready afterwards, and the way back", async () => {
    const { problems } = await deployWith({ readiness: [{ failing: ["database"] }] });
    expect(problems.join(" ")).toMatch(/database.*wrangler rollback/);
  });
});
