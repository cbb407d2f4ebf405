import { describe, expect, it } from "vitest";
import { mailNotice, repliesNotice } from "../../scripts/mail-domain.mjs";

/** Table as `wrangler email sending list` prints it. */
const TABLE = `
┌──────────┬───────────────┬─────────┬─────┐
│ zone     │ name          │ enabled │ tag │
├──────────┼───────────────┼─────────┼─────┤
│ shop.ca  │ shop.ca       │ yes     │ a1  │
├──────────┼───────────────┼─────────┼─────┤
│ shop.ca  │ old.shop.ca   │ no      │ b2  │
├──────────┼───────────────┼─────────┼─────┤
│ other.ca │ mail.other.ca │ yes     │ c3  │
└──────────┴───────────────┴─────────┴─────┘`;

const noticeOf = (mailFrom: string, status = 0, stdout = TABLE) =>
  mailNotice(mailFrom, () => ({ status, stdout }));

describe("notice about the sender's domain", () => {
  it("is absent for an onboarded domain", () => {
    expect(noticeOf("no-reply@Shop.ca")).toBeNull();
  });

  it.each(["no-reply@other.ca", "no-reply@old.shop.ca", "no-reply@p.ca"])(
    "names the command that onboards the domain of %s",
    (address) => {
      expect(noticeOf(address)).toContain(`wrangler email sending enable ${address.split("@")[1]}`);
    },
  );

  it("reports that the domain is unknown when the list cannot be read", () => {
    expect(noticeOf("no-reply@shop.ca", 1, "")).toContain("unknown");
  });
});

/** Prints rules as wrangler 4 does. */
const printed = (rules: { enabled?: boolean; to?: string; action: string }[]) =>
  rules
    .map(({ enabled = true, to, action }) =>
      to
        ? `Rule: 7d1c\n  Name:     (none)\n  Enabled:  ${enabled}\n  Matchers: to:${to}\n  Actions:  ${action}\n  Priority: 0\n`
        : `\nCatch-all rule: ${enabled ? "enabled" : "disabled"}, action: ${action}\n`,
    )
    .join("\n");

describe("the check of replies by mail", () => {
  const FROM = { MAIL_FROM: "no-reply@walnut-ash.ca", SUPPORT_EMAIL: "maren@mail.example" };
  const TO = "chat@walnut-ash.ca";
  const notice = (
    rules: Parameters<typeof printed>[0],
    vars: { MAIL_DOMAIN?: string; SUPPORT_EMAIL?: string } = {},
  ) => {
    const calls: string[] = [];
    const answer = repliesNotice({ ...FROM, ...vars }, "emporia", (args) => {
      calls.push(args.join(" "));
      // A subdomain is no zone of the account.
      return { status: args.at(-1) === "walnut-ash.ca" ? 0 : 1, stdout: printed(rules) };
    });
    return { answer, calls };
  };

  it("finds the catch-all rule, and says how to see whether replies arrive", () => {
    const { answer, calls } = notice([{ action: "worker:emporia" }]);
    expect(answer).toMatch(/^Replies reach the shop: .*look at Health/);
    expect(calls).toEqual(["email routing rules list walnut-ash.ca"]);
  });

  it("finds the rule of the address, and names Subaddressing, which it can't read", () => {
    for (const vars of [{}, { MAIL_DOMAIN: "walnut-ash.ca" }])
      expect(notice([{ to: TO, action: "worker:emporia" }], vars).answer).toMatch(
        /Subaddressing.*look at Health/,
      );
    const other = notice([{ to: "chat@reply.walnut-ash.ca", action: "worker:emporia" }], {
      MAIL_DOMAIN: "reply.walnut-ash.ca",
    });
    expect(other.answer).toContain("The rule of chat@reply.walnut-ash.ca");
    expect(other.calls).toHaveLength(2);
  });

  it.each<[string, Parameters<typeof printed>[0], { MAIL_DOMAIN?: string }?]>([
    ["no rule", []],
    ["a rule that is disabled", [{ to: TO, action: "worker:emporia", enabled: false }]],
    ["a catch-all rule that is disabled", [{ action: "worker:emporia", enabled: false }]],
    ["a rule of another address", [{ to: "hello@walnut-ash.ca", action: "worker:emporia" }]],
    ["a rule before the catch-all", [{ to: TO, action: "drop:" }, { action: "worker:emporia" }]],
    ["a rule that forwards", [{ to: TO, action: "forward:maren@mail.example" }]],
    ["a rule to another Worker", [{ to: TO, action: "worker:emporia-2" }]],
    [
      "the zone's catch-all rule for a subdomain",
      [{ action: "worker:emporia" }],
      { MAIL_DOMAIN: "r.walnut-ash.ca" },
    ],
  ])("says that replies are lost with %s", (_, rules, vars) => {
    expect(notice(rules, vars).answer).toMatch(/^Replies to mails are lost.*MAIL_DOMAIN = ""/);
  });

  it.each<[boolean, string, Parameters<typeof printed>[0]]>([
    [true, "the catch-all rule alone", []],
    [true, "a rule to the Worker", [{ to: "hello@walnut-ash.ca", action: "worker:emporia" }]],
    [false, "a rule that forwards", [{ to: "hello@walnut-ash.ca", action: "forward:maren@mail.example" }]],
  ])("warns: %s, that the mailbox of the same domain gets no replies, with %s", (warns, _, rules) => {
    const SUPPORT_EMAIL = "Hello@walnut-ash.ca";
    const { answer } = notice([...rules, { action: "worker:emporia" }], { SUPPORT_EMAIL });
    expect(answer).toMatch(/^Replies reach the shop/);
    expect(answer.includes("don't reach hello@walnut-ash.ca")).toBe(warns);
  });

  it("claims nothing without an answer, and asks nothing where the shop receives none", () => {
    expect(repliesNotice(FROM, "emporia", () => ({ status: 1, stdout: "" }))).toMatch(
      /unknown.*look at Health/,
    );
    const { answer, calls } = notice([], { MAIL_DOMAIN: "" });
    expect([answer, calls]).toEqual([expect.stringContaining("go to SUPPORT_EMAIL"), []]);
  });
});
