import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { splitLikeApi } from "./d1-statements";

/** Cloudflare's API on this machine for one account, with what wrangler asks of it to set up and deploy the shop. */
export interface CloudflareApi {
  /** Environment in which wrangler uses it. */
  env: Record<string, string>;
  /** Requests as `METHOD path`, without the account. */
  requests: string[];
  /** Those that it cannot answer. */
  unknown: string[];
  /** Creates an empty database. @returns its id */
  createDatabase(): string;
  /** Creates the Worker with these secrets. */
  setSecrets(...names: string[]): void;
  /** Databases, buckets, secrets and Worker as they are now. */
  account: Readonly<Account>;
  stop(): Promise<void>;
}

interface Account {
  databases: Map<string, { name: string; rows: DatabaseSync }>;
  buckets: Set<string>;
  secrets: Set<string>;
  /** Tag of the Worker's latest Durable Object migration; null before there is a Worker. */
  tag: string | null;
  /** Custom domains and crons of the Worker, and hashes of its uploaded files. */
  domains: string[];
  crons: string[];
  files: Set<string>;
  /** Address of the API, and files of statements that were uploaded to it, by their digests. */
  origin: string;
  imports: Map<string, string>;
}

const ID = "0123456789abcdef0123456789abcdef";
/** Domain of the account. */
export const ZONE = "sablier-atelier.com";
const TOKEN = "a-token-that-the-account-knows";

/** Error that Cloudflare's API answers with. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Body = Record<string, string> & { manifest?: Record<string, { hash: string }> };
type Handler = (account: Account, match: string[], body: Body) => unknown;

/** Answers by method and path; the first match applies. */
const ANSWERS: [RegExp, Handler][] = [
  [/^POST \/d1\/database$/, createDatabase],
  [/^GET \/d1\/database\?/, ({ databases }) => [...databases].map(([uuid, { name }]) => ({ uuid, name }))],
  [/^GET \/d1\/database\/([^/?]+)/, (account, [, id = ""]) => describeDatabase(account, id)],
  [/^POST \/d1\/database\/([^/]+)\/query$/, (account, [, id = ""], { sql = "" }) => query(account, id, sql)],
  [
    /^POST \/d1\/database\/([^/]+)\/import$/,
    (account, [, id = ""], { action = "", etag = "" }) => importFile(account, id, action, etag),
  ],
  [
    /^PUT \/imports\/(\w+)$/,
    ({ imports }, [, etag = ""], { text = "" }) => imports.set(etag, text) && { etag },
  ],
  [/^POST \/r2\/buckets$/, ({ buckets }, _, { name = "" }) => buckets.add(name) && {}],
  [/^GET \/r2\/buckets\/([^/]+)$/, ({ buckets }, [, name = ""]) => found(buckets.has(name), 10006, "bucket")],
  [/^PUT .*\/scripts\/emporia\/secrets$/, putSecret],
  [/^GET .*\/scripts\/emporia\/secrets$/, (account) => worker(account) && listSecrets(account)],
  [
    /^POST .*\/assets-upload-session$/,
    (_, __, { manifest = {} }) => ({
      jwt: "files-may-be-uploaded",
      buckets: [Object.values(manifest).map(({ hash }) => hash)],
    }),
  ],
  [/^POST \/workers\/assets\/upload\?/, uploadFiles],
  [/^GET .*\/scripts\/emporia\/settings$/, (account) => worker(account) && { bindings: [] }],
  [/^GET .*\/scripts\/emporia\/deployments$/, () => ({ deployments: [] })],
  [/^PUT .*\/scripts\/emporia\/domains\/records$/, putDomains],
  [/^PUT .*\/scripts\/emporia\/schedules$/, putCrons],
  [/^GET \/zones\?name=([^&]+)/, (_, [, name = ""]) => (name === ZONE ? [{ id: ID, name }] : [])],
  [/^GET \/zones\/\w+\/workers\/routes$/, () => []],
  [/^GET \/email\/sending\/zones\b/, () => []],
  [/^GET \/zones\/\w+\/email\/routing\/rules\b/, () => []],
  [/^GET \/workers\/services\/emporia$/, (account) => worker(account) && describeWorker(account)],
  [
    /^GET \/workers\/scripts\?|^GET \/workers\/scripts$/,
    ({ tag }) => (tag === null ? [] : [{ id: "emporia", migration_tag: tag }]),
  ],
  [/^PUT \/workers\/scripts\/emporia(?:\?|$)/, upload],
  [/^GET .*\/emporia\/.*\bsubdomain$/, () => ({ enabled: false, previews_enabled: false })],
  [/^POST .*\/emporia\/.*\bsubdomain$/, () => ({ enabled: false, previews_enabled: false })],
];

function createDatabase({ databases }: Account, _: string[], { name = "" }: Body) {
  const uuid = randomUUID();
  databases.set(uuid, { name, rows: new DatabaseSync(":memory:") });
  return { uuid, name, primary_location_hint: "enam" };
}

function found(isFound: boolean, code: number, what: string) {
  if (!isFound) throw new Refusal(404, code, `The ${what} could not be found`);
  return {};
}

function databaseOf({ databases }: Account, id: string) {
  const database = databases.get(id);
  if (!database) throw new Refusal(404, 7404, `The database ${id} could not be found`);
  return database;
}

function describeDatabase(account: Account, id: string) {
  const { name } = databaseOf(account, id);
  return {
    uuid: id,
    name,
    version: "production",
    num_tables: 1,
    file_size: 0,
    read_replication: { mode: "auto" },
  };
}

/** Runs statements one by one and all or none, as D1's API splits them. */
function query(account: Account, id: string, sql: string) {
  const { rows } = databaseOf(account, id);
  rows.exec("SAVEPOINT request");
  try {
    const results = splitLikeApi(sql).map((statement) => ({
      results: rows.prepare(statement).all(),
      success: true,
      meta: { duration: 0 },
    }));
    rows.exec("RELEASE request");
    return results;
  } catch (error) {
    rows.exec("ROLLBACK TO request; RELEASE request");
    throw new Refusal(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

/** Takes a file of statements, which D1 imports as a whole, without splitting it. */
function importFile(account: Account, id: string, action: string, etag: string) {
  const { rows } = databaseOf(account, id);
  if (action === "init") return { upload_url: `${account.origin}/imports/${etag}`, filename: etag };
  rows.exec(`BEGIN;\n${account.imports.get(etag)}\nCOMMIT`);
  const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 };
  return {
    ...{ success: true, type: "import", status: "complete", messages: [] },
    result: { num_queries: 1, final_bookmark: "1", meta },
  };
}

function worker({ tag }: Account): boolean {
  if (tag === null) throw new Refusal(404, 10007, "This Worker does not exist on your account.");
  return true;
}

function putSecret(account: Account, _: string[], { name = "" }: Body) {
  worker(account);
  account.secrets.add(name);
  return { name, type: "secret_text" };
}

const listSecrets = ({ secrets }: Account) => [...secrets].map((name) => ({ name, type: "secret_text" }));

const describeWorker = ({ tag }: Account) => ({
  default_environment: {
    environment: "production",
    script: { id: "emporia", tag: "emporia", migration_tag: tag },
  },
});

/** Stores the metadata of a Worker: the form's first field, in JSON. */
function upload(account: Account, _: string[], { text = "" }: Body) {
  account.tag = /"new_tag":"(\w+)"/.exec(text)?.[1] ?? account.tag ?? "";
  return { id: "emporia", etag: "1", deployment_id: randomUUID(), startup_time_ms: 1, entry_point: "app.js" };
}

/** Stores the hashes of uploaded files: the names of the form's fields. */
function uploadFiles({ files }: Account, _: string[], { text = "" }: Body) {
  for (const [, hash = ""] of text.matchAll(/name="([\da-f]{32})"/g)) files.add(hash);
  return { jwt: "all-files-are-uploaded" };
}

function putDomains(account: Account, _: string[], { origins }: Body) {
  account.domains = (origins as unknown as { hostname: string }[]).map(({ hostname }) => hostname);
  return {};
}

function putCrons(account: Account, _: string[], body: Body) {
  account.crons = (body as unknown as { cron: string }[]).map(({ cron }) => cron);
  return { schedules: body };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return /^[{[]/.test(text) ? JSON.parse(text) : { text };
}

/** Starts the API on a free port of the loopback interface, for an account without anything. */
export async function startCloudflareApi(): Promise<CloudflareApi> {
  const account: Account = {
    databases: new Map(),
    buckets: new Set(),
    secrets: new Set(),
    tag: null,
    domains: [],
    crons: [],
    files: new Set(),
    origin: "",
    imports: new Map(),
  };
  const [requests, unknown]: [string[], string[]] = [[], []];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    // The shop itself, once its domain leads to the Worker.
    if (request.url === "/readyz") return found(account.domains.length > 0, 404, "shop");
    const body = await bodyOf(request);
    const asked = `${request.method} ${(request.url ?? "").replace(`/accounts/${ID}`, "")}`;
    requests.push(asked);
    if (request.headers.authorization !== `Bearer ${TOKEN}` && !/\/assets\/|^PUT \/imports\//.test(asked))
      throw new Refusal(403, 10000, "Authentication error");
    for (const [pattern, handler] of ANSWERS) {
      const match = pattern.exec(asked);
      if (match) return handler(account, match, body);
    }
    unknown.push(asked);
    throw new Refusal(501, 1, `No answer to ${asked}`);
  };
  const server = createServer(async (request, response) => {
    const outcome = await answer(request).then(
      (result) => ({ status: 200, errors: [] as object[], result }),
      (error) => ({
        status: error.status ?? 500,
        errors: [{ code: error.code, message: error.message }],
        result: null,
      }),
    );
    const { status, errors, result } = outcome;
    const { etag } = (result ?? {}) as { etag?: string };
    const headers = { "Content-Type": "application/json", Connection: "close", ...(etag && { ETag: etag }) };
    response.writeHead(status, headers);
    response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  account.origin = `http://127.0.0.1:${port}`;
  const stop = () => new Promise<void>((done) => server.close(() => done()));
  const env = {
    CLOUDFLARE_API_BASE_URL: account.origin,
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_ACCOUNT_ID: ID,
  };
  const setSecrets = (...names: string[]) => {
    account.tag ??= "";
    account.secrets = new Set(names);
  };
  const create = () => createDatabase(account, [], { name: "emporia" }).uuid;
  return { env, requests, unknown, account, createDatabase: create, setSecrets, stop };
}
