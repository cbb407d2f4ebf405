// What stands in front of the Worker in place of the local engine's own proxy.
import { connect, createServer } from "node:net";

/**
 * Passes each connection on to the Worker as it is.
 *
 * The engine's own proxy (wrangler's ProxyController) keeps its connections to the Worker for five seconds, and so does
 * the Worker: what is sent on one that is being closed at that moment is lost and answered 500, "Network connection
 * lost", a file as well as a page, and a whole burst at once, since they all go out on connections of the same age. A
 * connection that belongs to one visitor ends with that visitor's, and browsers ask again by themselves.
 *
 * @param {number} port where visitors come
 * @returns what DevEnv takes for a proxy (`proxyFactory`); its `ready` fails when the port is taken
 */
export function tcpProxy(port) {
  const ready = {};
  ready.promise = new Promise((resolve, reject) => Object.assign(ready, { resolve, reject }));
  const visitors = new Set();
  let behind = null;
  const door = createServer({ noDelay: true }, (visitor) => {
    visitors.add(visitor);
    visitor.once("close", () => visitors.delete(visitor));
    join(visitor, connect({ ...behind, noDelay: true }));
  });
  door.once("error", ready.reject);
  return {
    ready,
    onConfigUpdate() {},
    onBundleStart() {},
    onReloadStart() {},
    onReloadComplete({ proxyData }) {
      const { hostname, port: inner } = proxyData.userWorkerUrl;
      behind = { host: hostname, port: Number(inner) };
      if (!door.listening) door.listen(port, "127.0.0.1", () => ready.resolve({}));
    },
    async teardown() {
      door.close();
      for (const visitor of visitors) visitor.destroy();
    },
  };
}

/** What one says the other hears; when one breaks off, so does the other. */
function join(visitor, worker) {
  visitor.pipe(worker);
  worker.pipe(visitor);
  visitor.once("error", () => worker.destroy());
  visitor.once("close", () => worker.destroy());
  worker.once("error", () => visitor.destroy());
}
