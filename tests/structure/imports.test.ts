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
    rule: "ui may import only ui and styles: it knows no feature and no record",
    who: /^app\/ui\//,
    may: (path) => /^app\/(?:ui|styles)\//.test(path),
  },
  {
    rule: "Components of records may import only records and ui",
    who: /^app\/records\/.*\.tsx$/,
    may: (path) => /^app\/(?:records|ui)\//.test(path),
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
    rule: "domain may import only domain",
    who: /^app\/domain\//,
    may: () => false,
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

/** Statements, and calls that run one. */
const SQL =
  /\.prepare\(|\bsql\s*\.exec[(<]|["`]\s*(?:SELECT|INSERT|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE) /;
/** Files with SQL besides queries and app/db: classes with the SQLite storage of a Durable Object, and one that has none. */
const STORAGE: Record<string, string> = {
  "app/features/audit/chain.ts":
    "statements with which scripts/check-audit.mjs verifies the log, beside the hashes",
  "workers/admin-room.ts": "Presence: occupied rooms and the last status",
  "workers/chat-log.schema.ts": "tables of a room",
  "workers/chat-log.ts": "ChatLog: the chat and its messages",
  "workers/connections.ts": "AddressConnections: open connections of a network address",
  "workers/limits.ts": "ChatFiles: files of a chat, for their limits",
  "workers/notification-log.ts": "NotificationLog: notifications on display",
  "workers/outbox.ts": "Outbox: tasks until they succeed",
  "workers/read-marks.ts": "ReadMarkLog: what each side has read",
  "workers/room-archive.ts": "dump and restore of a room",
};

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

  it("only queries, db and the storage classes of workers contain SQL", () => {
    const found = sources("app", "workers").filter(
      (file) =>
        !/^app\/db\/|^app\/features\/.*queries|^app\/session\/queries/.test(file) &&
        (importsOf(file).some((name) => name.startsWith("drizzle-orm")) || SQL.test(read(file))),
    );
    expect(
      found,
      "Move the SQL to a file or folder called queries; of a Durable Object's storage, to one of STORAGE",
    ).toEqual(Object.keys(STORAGE).sort());
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
