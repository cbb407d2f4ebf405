import { beforeAll, describe, expect, it } from "vitest";
import { admin } from "../support/people";
import { FORM_PATHS } from "../support/routes";
import { addProduct, type CallOptions, call } from "../support/shop";

const KILOBYTES_64 = 64 * 1024;
/** Act or answer 404 whatever is sent. */
const LENIENT = ["/logout", "/theme", "/x", "/admin/x"];

type Fields = [name: string, value: string][];
type Body = Pick<CallOptions, "body" | "headers">;
const one = (name: string): Fields => [[name, "x"]];
const many = (count: number, name: (at: number) => string): Fields =>
  Array.from({ length: count }, (_, at) => [name(at), "x"]);

/** Forty bodies that no form of the shop sends, by their defect. */
const SHAPES: Record<string, Fields> = {
  "index 501": one("a[501]"),
  "index 9,999,999": one("a[9999999]"),
  "index 999,999,999": one("a[999999999]"),
  "index of a known field": one("email[999999999]"),
  "index 1e9": one("a[1e9]"),
  "index -1": one("a[-1]"),
  "index with zeros": one("a[00000]"),
  "index beyond whole numbers": one("a[99999999999999999999]"),
  "index without a name": one("[0]"),
  "index twice": one("a[500][500]"),
  "index in depth": one("a.b[999999999].c"),
  "index after index": one("a[0][0][0][999999]"),
  "twenty indices of 499,999": many(20, (at) => `a${at}[499999]`),
  "two hundred indices of 500": many(200, (at) => `a${at}[500]`),
  "depth 4": one("a.b.c.d"),
  "depth 100": one(`a${".b".repeat(100)}`),
  "depth 6,000": one(`a${".b".repeat(6000)}`),
  "depth 6,000 of indices": one(`a${"[0]".repeat(6000)}`),
  "depth of a known field": one("intent.a.b.c"),
  "depth of a hundred names": many(100, (at) => `a${".b".repeat(at)}`),
  "201 names": many(201, (at) => `a${at}`),
  "201 times the same name": many(201, () => "a"),
  "1,400 times a known name": many(1400, () => "intent"),
  "5,000 names": many(5000, (at) => `a${at}`),
  "8,000 empty fields": many(8000, () => ""),
  ["__proto__"]: one("__proto__"),
  "__proto__.x": one("__proto__.x"),
  "__proto__[x]": one("__proto__[x]"),
  "a.__proto__.x": one("a.__proto__.x"),
  "constructor.prototype.x": one("constructor.prototype.x"),
  hasOwnProperty: one("hasOwnProperty"),
  toString: one("toString"),
  "a framework's own fields": [
    ["__intent__", "{"],
    ["__state__", "{"],
  ],
  "no name": one(""),
  "a space": one(" "),
  "an open bracket": one("a["),
  "a closing bracket": one("a]"),
  "empty brackets": one("a[]"),
  "dots alone": one("..."),
  "two dots": one("a..b"),
};

const ENCODINGS = {
  urlencoded: (fields: Fields) => new URLSearchParams(fields),
  multipart(fields: Fields) {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return form;
  },
};
type Encoding = keyof typeof ENCODINGS;

/** Encodes every shape once, since all pages get the same bodies. */
function encodedShapes(encoding: Encoding): Promise<[shape: string, Body][]> {
  return Promise.all(
    Object.entries(SHAPES).map(async ([shape, fields]): Promise<[string, Body]> => {
      const encoded = new Response(ENCODINGS[encoding](fields));
      const headers = { "Content-Type": encoded.headers.get("Content-Type") ?? "" };
      return [shape, { body: await encoded.arrayBuffer(), headers }];
    }),
  );
}

const REJECTED = [400, 413];

let token = "";
const shapes = {} as Record<Encoding, [shape: string, Body][]>;
beforeAll(async () => {
  token = (await admin()).token;
  await addProduct();
  for (const encoding of Object.keys(ENCODINGS) as Encoding[])
    shapes[encoding] = await encodedShapes(encoding);
});

it("finds pages with forms, and forty shapes", () => {
  const paths = FORM_PATHS;
  expect(paths).toEqual(
    expect.arrayContaining(["/login", "/cart", "/chat?index", "/admin/products-management"]),
  );
  expect(Object.keys(SHAPES)).toHaveLength(40);
});

describe.each(FORM_PATHS.map((path, at) => [path, at] as const))("POST %s", (path, at) => {
  // Visitors' pages redirect people who are signed in.
  const as = /^\/(?:admin|account|purchases)/.test(path) ? () => ({ token }) : () => ({});

  it.each(Object.keys(ENCODINGS) as Encoding[])(
    "refuses hostile bodies, %s",
    { timeout: 120_000 },
    async (encoding) => {
      const otherVisitor = call("/api/product/categories");
      // Half of them: all pages read forms with the same code, and the next page gets the other half.
      const half = (at + Object.keys(ENCODINGS).indexOf(encoding)) % 2;
      for (const [shape, body] of shapes[encoding].filter((_, number) => number % 2 === half)) {
        const answer = await call(path, { ...body, ...as() });
        const { length } = await answer.text();
        expect(length, `bytes, ${shape}`).toBeLessThan(KILOBYTES_64);
        if (LENIENT.includes(path)) expect(answer.status, shape).toBeLessThan(500);
        else expect(REJECTED, `${answer.status}, ${shape}`).toContain(answer.status);
      }
      expect((await otherVisitor).status).toBe(200);
    },
  );
});

it("answers a rejected form with less than a tenth of its page, and a way back", async () => {
  const page = await (await call("/login")).text();
  const rejected = await call("/login?redirectTo=%2Fcart", {
    body: ENCODINGS.urlencoded(one("a[999999999]")),
  });
  const html = await rejected.text();
  expect(rejected.status).toBe(400);
  expect(html.length).toBeLessThan(page.length / 10);
  expect(html).toContain("Form not accepted");
  expect(html).toContain('href="/login?redirectTo=%2Fcart"');
});

describe("a form whose characters are not UTF-8", () => {
  const URLENCODED = { "Content-Type": "application/x-www-form-urlencoded" };
  const BOUNDARY = "----form";
  const part = (value: Uint8Array) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="email"\r\n\r\n`),
      value,
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]);
  const multipart = (value: Uint8Array) => ({
    body: part(value),
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
  });

  it.each<[string, Body]>([
    ["a Latin-1 byte, encoded", { body: "email=Caf%E9", headers: URLENCODED }],
    ["a Latin-1 byte", { body: Buffer.from("email=Caf\xe9", "latin1"), headers: URLENCODED }],
    ["in a name", { body: "em%E9il=x", headers: URLENCODED }],
    ["multipart", multipart(Buffer.from("Caf\xe9", "latin1"))],
  ])("is refused: %s", async (_, body) => {
    const answer = await call("/login", body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("characters that are not UTF-8");
  });

  it.each<[string, Body]>([
    ["urlencoded", { body: "email=Caf%EF%BF%BD", headers: URLENCODED }],
    ["multipart", multipart(Buffer.from("Caf\ufffd"))],
  ])("is told apart from the sign that replaces them, %s", async (_, body) => {
    const answer = await call("/login", body);
    expect(await answer.text()).not.toContain("characters that are not UTF-8");
  });
});

it("asks who is calling before it reads a form of the back office", async () => {
  const answer = await call("/admin/products-management", {
    body: ENCODINGS.urlencoded(one("a[999999999]")),
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toMatch(/^\/login\?/);
});
