import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localTo } from "./local-to";

const SHOP = "https://shop.example";

/** Spellings of targets outside the shop, or that may become one in a browser or a router. */
const FOREIGN = [
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "\\evil.example",
  "/shop\\..\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\0/evil.example",
  "\t//evil.example",
  "\n//evil.example",
  " //evil.example",
  "/shop\r\nSet-Cookie: a=b",
  "/shop?a=\r\nb",
  "/shop#\u007f",
  "/shop\u0085",
  "/..//evil.example",
  "/.//evil.example",
  "/%2e//evil.example",
  "/%2e%2e//evil.example",
  "/shop/..//evil.example",
  "/shop//evil.example",
  "/products/..//..//evil.example",
  "https://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:\\\\evil.example",
  "HTTPS://evil.example",
  "http://evil.example",
  "ht\ntps://evil.example",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "blob:https://evil.example/1",
  "file:///etc/passwd",
  "mailto:thief@evil.example",
  "ws://evil.example",
  "evil.example",
  "@evil.example",
  ".//evil.example",
  "..//evil.example",
  "shop",
  "//shop.example@evil.example",
  "/\\/\\evil.example",
  "//[::1]",
  "//evil.example?a=/shop",
];

const LOCAL = [
  "",
  "/",
  "/shop",
  "/shop/",
  "/shop?search=a%20b&page=2",
  "/shop?redirectTo=//evil.example",
  "/login?redirectTo=%2F%2Fevil.example",
  "/chat/abc#latest",
  "?merge=c-1",
  "#main",
  "/products/ümlaut",
  "/%2F%2Fevil.example",
  "/a/../b",
  "/products/a:b@c",
];

/** Host to which a browser goes, also after a router has put the resolved path into an address once more. */
function hostsOf(target: string): string[] {
  const first = new URL(target, `${SHOP}/page`);
  return [first.host, new URL(first.pathname + first.search + first.hash, SHOP).host];
}

describe("localTo", () => {
  it.each(FOREIGN)("refuses %j", (target) => {
    expect(localTo(target)).toBe("/");
    expect(localTo(target, "/admin")).toBe("/admin");
  });

  it.each(LOCAL)("keeps %j", (target) => {
    expect(localTo(target, "/fallback")).toBe(target);
    expect(hostsOf(target)).toEqual(["shop.example", "shop.example"]);
  });

  it.each([[undefined], [null], [5], [{}], [["/shop"]]])("refuses %o, which is no text", (target) => {
    expect(localTo(target, "/fallback")).toBe("/fallback");
  });

  it("returns nothing that leads out of the shop, whatever it gets", () => {
    const parts = [
      "/",
      "//",
      "\\",
      ".",
      "..",
      "%2e",
      "%2f",
      "\t",
      "\n",
      "\0",
      " ",
      "?",
      "#",
      "@",
      ":",
      "https:",
    ];
    const part = fc.oneof(fc.constantFrom(...parts, "javascript:", "evil.example", "shop"), fc.string());
    const target = fc.array(part, { maxLength: 8 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(fc.oneof(target, fc.constantFrom(...FOREIGN, ...LOCAL)), target, (start, end) => {
        const to = localTo(start + end);
        expect(hostsOf(to)).toEqual(["shop.example", "shop.example"]);
        expect(new URL(to, SHOP).protocol).toBe("https:");
      }),
      { numRuns: 2000, seed: 22 },
    );
  });
});
