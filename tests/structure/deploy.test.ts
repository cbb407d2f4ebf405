import { describe, expect, it } from "vitest";
import { deploy } from "../../scripts/deploy.mjs";

const ANSWERS: Record<string, string> = {
  d1: "No migrations to apply!",
  secret: '[{"name":"COOKIE_SECRET"}]',
  deploy: "",
};

/** Deploys to an imagined account. @param readiness answers of /readyz, the last one repeated */
async function deployWith(change: {
  url?: string;
  answers?: object;
  /** Error of every call of wrangler but the deployment. */
  error?: string;
  isBroken?: boolean;
  readiness?: object[];
  cookieSecret?: string;
}) {
  const calls: string[] = [];
  const readiness = [...(change.readiness ?? [{ failing: [] }])] as { failing: string[] }[];
  const problems = await deploy({
    shopUrl: change.url ?? "https://shop.example",
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
  return { problems, calls, isDeployed: calls.includes("deploy") };
}

describe("npm run deploy", () => {
  it("deploys and waits until the shop is ready", async () => {
    const readiness = [{ failing: ["room"] }, { failing: ["room"] }, { failing: [] }];
    const { problems, calls } = await deployWith({ readiness });
    expect(problems).toEqual([]);
    expect(calls.slice(-2)).toEqual(["build", "deploy"]);
  });

  it.each([
    ["a local SHOP_URL", { url: "http://localhost:8787" }],
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

  it("says once that wrangler is not signed in, and claims nothing about secrets", async () => {
    const error = "\n✘ [ERROR] In a non-interactive environment, set CLOUDFLARE_API_TOKEN\n";
    const { problems } = await deployWith({ error, cookieSecret: "short" });
    expect(problems).toEqual([
      expect.stringContaining("unknown. In a non-interactive environment, set CLOUDFLARE_API_TOKEN"),
      "COOKIE_SECRET of this environment has fewer than 32 bytes.",
      "Nothing was deployed.",
    ]);
    expect((await deployWith({ error: "" })).problems.join(" ")).toContain("npx wrangler login");
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
