import { describe, expect, it } from "vitest";
import { importsOf, read, sourcesIn as sources } from "./sources";

const isOurs = (path: string) => /^(?:app|workers|scripts|build)\//.test(path);
const domainOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];

/**
 * Import rules of docs/architecture.md: permitted imports by kind of file, besides app/domain, which all may import. The
 * first match applies.
 */
const RULES: { rule: string; who: RegExp; may: (imported: string, importer: string) => boolean }[] = [
  {
    rule: "Routes may import api, features (except queries), layouts, http, session, ui and styles",
    who: /^app\/routes\//,
    may: (path) =>
      path === "app/root.tsx" ||
      (/^app\/(?:api|features|layouts|http|session|ui|styles|routes)\//.test(path) && !/queries/.test(path)),
  },
  {
    rule: "features/*/queries may import only db, their own feature and other features' queries, records and enumerations",
    who: /^app\/features\/.*queries.*\.ts$/,
    may: (path, importer) =>
      path.startsWith("app/db/") ||
      domainOf(path) === domainOf(importer) ||
      (domainOf(path) !== undefined && /queries|categories|enums|catalogue\/product$|\/search$/.test(path)),
  },
  {
    rule: "api may import features, http and ui",
    who: /^app\/api\//,
    may: (path) => /^app\/(?:api|features|http|ui)\//.test(path),
  },
  {
    rule: "Layouts may import ui, styles, http/fields and the components of features, but no server code",
    who: /^app\/layouts\//,
    may: (path) =>
      /^app\/(?:layouts|ui|styles|http\/fields)\b/.test(path) ||
      (domainOf(path) !== undefined && !path.includes(".server")),
  },
  {
    rule: "Server code of a feature may import features, records, http, session, db and ui's pure modules (list-params, format), but no components, and never http/api-route",
    who: /^app\/features\/.*\.server\.ts$/,
    may: (path) =>
      /^app\/(?:features|records|http|session|db)\//.test(path)
        ? !/\.tsx$/.test(path) && path !== "app/http/api-route.server"
        : /^app\/ui\/(?:DataTable\/list-params|format)$/.test(path),
  },
  {
    rule: "Components may import ui, styles, records, of http only fields, and features, of whose server code only types",
    who: /^app\/features\/.*\.tsx$/,
    may: (path) => /^app\/(?:ui|styles|records|http\/fields)\b/.test(path) || domainOf(path) !== undefined,
  },
  {
    rule: "Schemas and views may import features, records, db, http and ui, but no components and no session",
    who: /^app\/features\/.*\b(?:schema|views)\.ts$/,
    may: (path) => /^app\/(?:features|records|db|http|ui)\//.test(path) && !/\.tsx$/.test(path),
  },
  {
    rule: "Other code of a feature may import features, records, db, http, session, ui and styles, but no layouts and routes",
    who: /^app\/features\/.*\.ts$/,
    may: (path) => /^app\/(?:features|records|db|http|session|ui|styles)\//.test(path),
  },
  {
    rule: "ui may import only ui, styles and records: it knows no feature",
    who: /^app\/ui\//,
    may: (path) => /^app\/(?:ui|styles|records)\//.test(path),
  },
  {
    rule: "records may import only records, db/lists, http's fields, redirects and toasts, and ui's pure modules (list-params, format)",
    who: /^app\/records\//,
    may: (path) =>
      path.startsWith("app/records/") ||
      /^app\/(?:db\/lists|http\/(?:fields|redirect\.server|request-context\.server|toasts\.server)|ui\/(?:DataTable\/list-params|format))$/.test(
        path,
      ),
  },
  {
    rule: "http may import only http, session and db",
    who: /^app\/http\//,
    may: (path) => /^app\/(?:http|session|db)\//.test(path),
  },
  { rule: "db may import only db", who: /^app\/db\//, may: (path) => path.startsWith("app/db/") },
  {
    rule: "domain may import only domain and db",
    who: /^app\/domain\//,
    may: (path) => path.startsWith("app/db/"),
  },
  {
    rule: "session may import only session, http, db and the roles and queries of accounts",
    who: /^app\/session\//,
    may: (path) => /^app\/(?:session|http|db|features\/accounts)\//.test(path),
  },
  {
    rule: "workers may import only workers, features, http, session and the Remix build",
    who: /^workers\//,
    may: (path) => /^(?:workers|build|app\/(?:features|http|session))\b/.test(path),
  },
];

describe("imports (docs/architecture.md)", () => {
  it.each(RULES)("$rule", ({ rule, who, may }) => {
    const breaches = sources("app", "workers")
      .filter((file) => who.test(file) && RULES.find((rule) => rule.who.test(file))?.who === who)
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => isOurs(path) && !path.startsWith("app/domain/") && !may(path, file))
          .map((path) => `${file} imports ${path}`),
      );
    expect(breaches, rule).toEqual([]);
  });

  it("has a rule for every source file but the entries of Remix", () => {
    const unruled = sources("app", "workers").filter((file) => !RULES.some(({ who }) => who.test(file)));
    expect(unruled, "Add the file's folder to RULES and to docs/architecture.md").toEqual([
      "app/entry.client.tsx",
      "app/entry.server.tsx",
      "app/root.tsx",
      "app/routes.ts",
    ]);
  });

  it("only http/shop-objects creates the objects that belong to the shop's region", () => {
    const breaches = sources("app", "workers")
      .filter((file) => file !== "app/http/shop-objects.server.ts")
      .filter((file) =>
        /\b(?:ADMIN_ROOM|NIGHTLY_BACKUP|LOBBY)\s*\??\.\s*(?:get|idFrom|newUniqueId|jurisdiction)/.test(
          read(file),
        ),
      );
    expect(breaches, "Use adminRoom, nightlyBackup or lobby").toEqual([]);
  });

  it("only queries.server.ts files and db contain SQL", () => {
    const breaches = sources("app", "workers").filter(
      (file) =>
        !/queries|^app\/db\//.test(file) &&
        (importsOf(file).some((name) => name.startsWith("drizzle-orm")) || /\.prepare\(/.test(read(file))),
    );
    expect(breaches, "Only queries.server.ts files and app/db may use drizzle-orm or .prepare()").toEqual([]);
  });

  it("browser code imports no .server file", () => {
    const breaches = sources("app")
      .filter(
        (file) =>
          !/\.server\.tsx?$|^app\/(?:routes|root|entry\.server)|^app\/(?:http|session|db)\//.test(file),
      )
      .flatMap((file) => {
        const text = read(file);
        return [...text.matchAll(/^import (?!type)[^"]*"([^"]+\.server)"/gm)].map(
          (match) => `${file} imports ${match[1]}`,
        );
      });
    expect(breaches, "Browser code may import only types from .server files").toEqual([]);
  });
});
