import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { dataUrl } from "../support/loader-data";
import { manager } from "../support/people";

const PAGE = "/admin/inventory-management";
let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

describe("with a configured spreadsheet", () => {
  const SHEET = "https://sheets.example/d/abc/edit?usp=sharing&rm=minimal";
  const visit = async (path: string, sheet = SHEET, headers = {}) => {
    const context = createExecutionContext();
    const request = new Request(`http://localhost:8787${path}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
      redirect: "manual",
    });
    const answer = await worker.fetch(
      request as Request<unknown, IncomingRequestCfProperties>,
      { ...env, INVENTORY_SHEET_URL: sheet },
      context,
    );
    await waitOnExecutionContext(context);
    return answer;
  };
  const framesOf = (answer: Response) =>
    /frame-src ([^;]+)/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1];

  it("frames it 800 px tall and allows the frame on this page only", async () => {
    const answer = await visit(PAGE);
    expect(framesOf(answer)).toBe("https://sheets.example");
    const html = await answer.text();
    expect(html).toMatch(
      /<iframe src="https:\/\/sheets\.example\/d\/abc\/edit\?usp=sharing&amp;rm=minimal"[^>]*height="800"/,
    );
    expect(html).not.toContain("Name, SKU, barcode");
    for (const path of ["/admin", "/admin/graphs", "/", `${PAGE}/more`, `${PAGE}.csv`])
      expect(framesOf(await visit(path)), path).toBe("'none'");
  });

  it("reloads the document after client-side navigation", async () => {
    const answer = await visit(dataUrl(PAGE), SHEET, { "Sec-Fetch-Dest": "empty" });
    expect(answer.headers.get("X-Remix-Redirect")).toBe(PAGE);
    expect(answer.headers.get("X-Remix-Reload-Document")).toBe("true");
  });

  it.each(["", "javascript:alert(1)", "sheets.example", "https://"])("ignores the URL %j", async (sheet) => {
    const answer = await visit(PAGE, sheet);
    expect([answer.status, framesOf(answer)]).toEqual([200, "'none'"]);
    expect(await answer.text()).toContain("Name, SKU, barcode");
  });
});
