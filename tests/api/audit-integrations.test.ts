import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { submit } from "../support/forms";
import { admin, person } from "../support/people";
import { call } from "../support/shop";

describe("API keys and webhooks in the audit log", () => {
  let adminToken: string;
  let ownerToken: string;
  const auditPage = async (query: string) =>
    (await (await call(`/admin/audit?${query}`, { token: adminToken })).text()).replaceAll("<!-- -->", "");
  const submitIntegration = (intent: string, fields: Record<string, string>) =>
    submit("/admin/integrations", { intent, ...fields }, { token: ownerToken });

  beforeAll(async () => {
    ({ token: adminToken } = await admin());
    await call("/api/product", {
      json: { id: "stand", name: "Stand", price: 34, stock: 4, category: "OTHERS" },
      token: adminToken,
    });
  });

  it("name a key and its owner, also after its deletion", async () => {
    const maren = await person({ isAdmin: true, firstName: "Maren", lastName: "Okafor" });
    ownerToken = maren.token;
    const answer = await submitIntegration("create-key", {
      name: "Till",
      scope: "write",
      currentPassword: maren.password,
    });
    const [key = ""] = /emp_[\w-]{32}/.exec(await answer.text()) ?? [];
    await call("/api/product/stand", { method: "PUT", json: { price: 33 }, token: key });
    const seq = await env.DB.prepare("SELECT max(seq) AS n FROM audit_log").first<number>("n");
    const id = await env.DB.prepare("SELECT id FROM api_keys WHERE name = 'Till'").first<string>("id");
    const check = async (mark = "") => {
      expect(await auditPage("kind=settings")).toMatch(new RegExp(`</b> API key Till${mark}<`));
      const opened = await auditPage(`id=stand&row=${seq}`);
      expect(opened).toContain("<dt>By</dt><dd>API key “Till”, Maren Okafor</dd>");
      expect(opened).toContain(">API key “Till”, Maren Okafor</a>");
      const file = await (await call("/admin/audit.csv?id=stand", { token: adminToken })).text();
      // A text that a spreadsheet would take for a formula gets an apostrophe.
      const safeId = id?.startsWith("-") ? `"'${id}"` : id;
      expect(file).toContain(
        `"API key “Till”, Maren Okafor",Maren Okafor,${maren.id},Till,${safeId},Changed,`,
      );
    };
    await check();
    await env.DB.prepare("UPDATE api_keys SET name = 'Counter' WHERE id = ?").bind(id).run();
    expect(await auditPage(`id=stand&row=${seq}`)).toContain("API key “Counter”, Maren Okafor");
    await env.DB.exec(`DELETE FROM api_keys WHERE id = '${id}'`);
    await check(" \\(deleted\\)");
    await env.DB.exec(`DELETE FROM users WHERE id = '${maren.id}'`);
    expect(await auditPage(`id=stand&row=${seq}`)).toContain("API key “Till”, a deleted account");
  });

  it("name a webhook by its host and its state in words, also after its deletion", async () => {
    const owner = await admin();
    ownerToken = owner.token;
    await submitIntegration("create-webhook", {
      currentPassword: owner.password,
      url: "https://hooks.example.com/emporia?token=hush",
      events: "product.changed",
    });
    const id = (await env.DB.prepare("SELECT id FROM webhooks").first<string>("id")) ?? "";
    expect(await auditPage("kind=settings")).toContain("hooks.example.com");
    for (const intent of ["disable", "enable"]) await submitIntegration(intent, { id });
    await submitIntegration("delete-webhook", { id });
    const html = await auditPage(`id=${id}`);
    expect(html.match(/<tr id="row-/g)).toHaveLength(4);
    expect(html.match(/webhook hooks\.example\.com/g)).toHaveLength(4);
    const file = await (await call(`/admin/audit.csv?id=${id}`, { token: adminToken })).text();
    expect(file).toMatch(/State: Disabled \d.* → Enabled/);
    expect(file).toMatch(/State: Enabled → Disabled \d/);
    for (const text of [html, file]) expect(text).not.toMatch(/emporia\?|hush|deleted now/);
    // An enabled webhook has no time of its disabling.
    expect(file).not.toContain("none");
  });
});
