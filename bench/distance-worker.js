// The shop at a distance: each trip to D1, and each call of a Durable Object, takes as many milliseconds longer as the
// headers of the latest request say. Requests are measured one after another, so that one value holds for all.
import shop, * as classes from "../build/worker/app.js";

/** Milliseconds of a round trip. */
const distance = { d1: 0, objects: 0 };

export default {
  ...shop,
  fetch(request, env, context) {
    for (const to of Object.keys(distance))
      distance[to] = Number(request.headers.get(`X-Distance-${to}`) ?? 0);
    return shop.fetch(request, distant(env), context);
  },
};

/** Returns a class of objects that are as far from D1 as the Worker. Wrangler finds classes by their names in the exports. */
const distantObject = (Class) =>
  class extends Class {
    constructor(state, env) {
      super(state, distant(env));
    }
  };

export const AdminRoom = distantObject(classes.AdminRoom);
export const ChatRoom = distantObject(classes.ChatRoom);
export const AddressConnections = distantObject(classes.AddressConnections);
export const Lobby = distantObject(classes.Lobby);
export const NightlyBackup = distantObject(classes.NightlyBackup);

const NAMESPACES = ["ADMIN_ROOM", "CHAT_ROOM", "ADDRESS_CONNECTIONS", "LOBBY", "NIGHTLY_BACKUP"];

const distant = (env) => ({
  ...env,
  DB: distantDatabase(env.DB),
  ...Object.fromEntries(NAMESPACES.map((name) => [name, distantNamespace(env[name])])),
});

/** Waits for the way there and back, before a call is sent. */
async function after(to, call) {
  if (distance[to] > 0) await scheduler.wait(distance[to]);
  return call();
}

/** Wraps a database or session. Each of these methods sends one request to D1. */
function distantDatabase(d1) {
  const database = {
    prepare: (sql) => distantStatement(d1.prepare(sql)),
    batch: (statements) =>
      after("d1", () => d1.batch(statements.map((statement) => statement[ORIGINAL] ?? statement))),
  };
  if (d1.withSession) database.withSession = (start) => distantDatabase(d1.withSession(start));
  if (d1.getBookmark) database.getBookmark = () => d1.getBookmark();
  if (d1.exec) database.exec = (sql) => after("d1", () => d1.exec(sql));
  return database;
}

const ORIGINAL = Symbol("statement of D1");

function distantStatement(statement) {
  const sent = ["all", "run", "raw", "first"].map((name) => [
    name,
    (...options) => after("d1", () => statement[name](...options)),
  ]);
  return {
    ...Object.fromEntries(sent),
    bind: (...values) => distantStatement(statement.bind(...values)),
    [ORIGINAL]: statement,
  };
}

function distantNamespace(namespace) {
  const open =
    (name) =>
    (...options) =>
      distantStub(namespace[name](...options));
  return { getByName: open("getByName"), get: open("get"), idFromName: (name) => namespace.idFromName(name) };
}

const distantStub = (stub) =>
  new Proxy(stub, {
    get(_, name) {
      const member = stub[name];
      if (typeof member !== "function") return member;
      return (...values) => after("objects", () => stub[name](...values));
    },
  });
