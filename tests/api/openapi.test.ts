import { describe, expect, it } from "vitest";
import { ZodObject } from "zod";
import { HEADINGS } from "~/api/reference";
import { API_ROUTES } from "~/api/routes.server";
import type { Operation } from "~/http/operation.server";
import { apiDocument } from "../support/api-answers";
import { admin, manager } from "../support/people";
import { call } from "../support/shop";

interface RequestBody {
  content: Record<string, { schema: { additionalProperties?: unknown } }>;
}

interface FormSchema {
  properties: Record<string, object>;
}

/** Fields whose object is a card, the values that a caller saw, or has keys of the caller's. */
const OPEN_FIELDS = ["card", "was", "plates"];
/** Adds an unknown field to every other object. */
const withUnknown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    OPEN_FIELDS.includes(name) ? field : withUnknown(field),
  ]);
  return { ...Object.fromEntries(fields), commission: 5 };
};

describe("the OpenAPI document", () => {
  it("describes every method of every route, and no other", async () => {
    const { paths } = await apiDocument();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = Object.entries(API_ROUTES).flatMap(([pattern, operations]) =>
      Object.keys(operations).map((method) => `${method} /${pattern.replaceAll(/:(\w+)/g, "{$1}")}`),
    );
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it("has a heading for the routes of each first segment on its page", () => {
    const segments = new Set(Object.keys(API_ROUTES).map((path) => path.split("/")[0]));
    expect(Object.keys(HEADINGS).toSorted()).toEqual([...segments].toSorted());
  });

  it("names the answers to the questions of an import", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    const form = paths["/product/bulk-upload"]?.post.requestBody.content["multipart/form-data"]?.schema;
    expect(form).toMatchObject({
      properties: {
        file: {},
        encoding: { enum: expect.arrayContaining(["windows-1252", "macintosh"]) },
        "column-price": { type: "string" },
        variantPrice: { enum: ["lowest", "highest", "first"] },
        untracked: { type: "integer" },
      },
    });
    expect(form).not.toHaveProperty("required");
  });

  it("describes files of a form as binary, and its other fields as they are typed", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<string, Record<string, { requestBody?: RequestBody }>>;
    };
    const form = (path: string) =>
      (paths[path]?.post?.requestBody?.content["multipart/form-data"]?.schema as FormSchema | undefined)
        ?.properties ?? {};
    const [text, file] = [{ type: "string" }, { type: "string", format: "binary" }];
    const files = { type: "array", items: file };
    expect(form("/chat/message")).toMatchObject({ files, productId: text, quantity: text, color: text });
    expect(form("/chat/message").engraving).toEqual(text);
    expect(form("/storage/upload")).toEqual({ files, productId: text });
    const upload = form("/product/bulk-upload");
    expect(upload).toMatchObject({ file, run: text, choices: text });
    const columns = Object.keys(upload).filter((field) => field.startsWith("column-"));
    expect(columns).toContain("column-name");
    for (const column of columns) expect(upload[column]).toMatchObject(text);
    const binary = Object.keys(paths).flatMap((path) =>
      Object.entries(form(path)).flatMap(([field, schema]) =>
        JSON.stringify(schema).includes("binary") ? [`${path} ${field}`] : [],
      ),
    );
    expect(binary.toSorted()).toEqual([
      "/chat/create files",
      "/chat/message files",
      "/expense/{id}/file files",
      "/product/bulk-upload file",
      "/storage/upload files",
    ]);
  });

  it("names the fields of an upload", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<string, { post: { requestBody: RequestBody } }>;
    };
    const form = paths["/storage/upload"]?.post.requestBody.content["multipart/form-data"]?.schema;
    expect(Object.keys((form as { properties?: object }).properties ?? {}).sort()).toEqual([
      "files",
      "productId",
    ]);
  });

  it("has examples of a record's fields, and none that invents another object", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }>;
    };
    const example = (path: string) => paths[path]?.post.requestBody.content["application/json"]?.example;
    expect(example("/expense")).toMatchObject({ description: "Oak boards", amount: 24.5, taxAmount: 2.82 });
    expect(example("/product")).toMatchObject({
      name: "Walnut cutting board",
      price: 64,
      colors: ["Walnut"],
    });
    const sale = example("/sale");
    expect(sale).toMatchObject({ id: "till-2-0042", customerName: "Ines Duarte" });
    for (const other of ["chatId", "customerId", "holdId", "quoteId"]) expect(sale).not.toHaveProperty(other);
  });

  it("allows unknown fields, which are ignored", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<string, Record<string, { requestBody?: unknown }>>;
    };
    const bodies = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ requestBody }) => requestBody as RequestBody | undefined),
    );
    for (const body of bodies)
      for (const { schema } of Object.values(body?.content ?? {}))
        expect(schema.additionalProperties).not.toBe(false);
    const { token } = await manager();
    const fields = { name: "Ines Duarte", email: "ines@mail.example" };
    const add = (json: object) => call("/api/customer", { token, json });
    const made = await add({
      ...fields,
      id: "mine",
      isAdmin: true,
      __proto__: { x: 1 },
      "constructor.name": 1,
    });
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject(fields);
    expect((await call("/api/product/all?limit=1&colour=red&limit[]=9")).status).toBe(200);
  });

  it("has no operation that refuses or keeps an unknown field, in a line neither", async () => {
    const { paths } = (await apiDocument()) as unknown as {
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { example?: object }> } }>
      >;
    };
    const parsed = (operation: Operation<unknown>, input: object) => {
      const { success, data, error } = operation.input.safeParse(input);
      return { success, data: JSON.stringify(data), issues: error?.issues.map(({ message }) => message) };
    };
    let accepted = 0;
    for (const [pattern, operations] of Object.entries(API_ROUTES))
      for (const [method, operation] of Object.entries(operations)) {
        const described = paths[`/${pattern.replaceAll(/:(\w+)/g, "{$1}")}`]?.[method.toLowerCase()];
        const example = described?.requestBody?.content["application/json"]?.example ?? {};
        const parameters = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => [name, "1"]);
        const known = { ...example, ...Object.fromEntries(parameters) };
        const expected = parsed(operation, known);
        accepted += expected.success ? 1 : 0;
        const unknown = parsed(operation, withUnknown(known) as object);
        // Rules that depend on the caller read these inputs further on.
        const isRead = operation.input instanceof ZodObject && operation.input.def.catchall;
        expect(isRead ? { ...unknown, data: expected.data } : unknown, `${method} ${pattern}`).toEqual(
          expected,
        );
      }
    expect(accepted).toBeGreaterThan(50);
  });

  it.each(["customer", "sale", "invoice", "expense", "product"])(
    "has an example of POST %s that the API accepts",
    async (path) => {
      const { paths } = (await apiDocument()) as unknown as {
        paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }>;
      };
      const json = paths[`/${path}`]?.post.requestBody.content["application/json"]?.example ?? {};
      const { token } = await admin();
      const answer = await call(`/api/${path}`, { token, json });
      expect(answer.status, JSON.stringify([json, await answer.clone().text()])).toBe(201);
    },
  );

  it("types amounts as numbers and categories as an enumeration", async () => {
    const { paths } = await apiDocument();
    const { post } = paths["/sale"] as unknown as Record<string, { requestBody: RequestBody }>;
    const lines = JSON.stringify(post?.requestBody.content["application/json"]?.schema);
    expect(lines).toMatch(/"amount":\{"type":"number"/);
    expect(lines).toMatch(/"category":\{"type":"string","enum":\["PHONE_CASE"/);
  });

  it.each([
    ["/product", "post", "price", { exclusiveMinimum: 0 }],
    ["/product/{id}", "put", "price", { exclusiveMinimum: 0 }],
    ["/expense", "post", "amount", { exclusiveMinimum: 0 }],
    ["/expense/{id}", "put", "amount", { exclusiveMinimum: 0 }],
    ["/invoice", "post", "amount", { minimum: 0 }],
    ["/expense", "post", "taxAmount", { minimum: 0 }],
  ])("bounds %s %s %s as the API does", async (path, method, field, bounds) => {
    const { paths } = await apiDocument();
    const { requestBody } =
      (paths[path] as unknown as Record<string, { requestBody: RequestBody }>)[method] ?? {};
    const schema = requestBody?.content["application/json"]?.schema as {
      properties?: Record<string, { minimum?: number; exclusiveMinimum?: number }>;
    };
    const { minimum, exclusiveMinimum } = schema.properties?.[field] ?? {};
    expect({ minimum, exclusiveMinimum }).toEqual({
      minimum: undefined,
      exclusiveMinimum: undefined,
      ...bounds,
    });
  });

  it.each([
    ["/sale", "createdAt", "a day YYYY-MM-DD"],
    ["/sale", "createdAt", "milliseconds from"],
    ["/hold", "until", "the shop's time"],
    ["/hold", "until", "milliseconds from"],
  ])("describes what %s accepts as %s", async (path, field, words) => {
    const { paths } = await apiDocument();
    const { post } = paths[path] as unknown as Record<string, { requestBody: RequestBody }>;
    const schema = post?.requestBody.content["application/json"]?.schema as {
      properties?: Record<string, { anyOf: { type: string }[] }>;
    };
    const alternatives = schema.properties?.[field]?.anyOf ?? [];
    expect(alternatives.map(({ type }) => type)).toEqual(["string", "object", "object", "integer"]);
    expect(JSON.stringify(alternatives)).toContain('"_seconds"');
    expect(JSON.stringify(alternatives)).toContain(words);
  });

  it("offers API keys where they are allowed, and requires the same fields of a form as of JSON", async () => {
    const { paths } = await apiDocument();
    const calls = paths as unknown as Record<
      string,
      Record<string, { security?: object[]; requestBody: RequestBody }>
    >;
    expect(calls["/product"]?.post?.security).toEqual([{ session: [] }, { apiKey: [] }]);
    for (const [path, method] of [
      ["/user", "post"],
      ["/user/{id}", "delete"],
      ["/user/change-password", "put"],
    ])
      expect(calls[path ?? ""]?.[method ?? ""]?.security, path).toEqual([{ session: [] }]);
    const { content } = calls["/chat/message"]?.post?.requestBody ?? {};
    const required = (type: string) =>
      (content?.[type]?.schema as { required?: string[] } | undefined)?.required;
    expect(required("multipart/form-data")).toContain("chatId");
    expect(required("multipart/form-data")).toEqual(required("application/json"));
  });

  it("describes every field that is sent", async () => {
    const { paths } = await apiDocument();
    const undescribed = JSON.stringify(paths).matchAll(/"(?!additionalProperties")(\w+)":\{\}/g);
    expect([...new Set([...undescribed].map(([, field]) => field))]).toEqual([]);
  });
});
