// TCP proxy in front of the local Worker, instead of wrangler's (docs/decisions/0017-local-proxy.md).
import { connect, createServer } from "node:net";

/**
 * Forwards each connection unchanged to the Worker.
 *
 * The engine's own proxy (wrangler's ProxyController) keeps its connections to the Worker for five seconds, and so does
 * the Worker: a request on a connection that is being closed is lost and answered 500, "Network connection lost". Here
 * each connection to the Worker belongs to one client connection and closes with it; browsers then retry by themselves.
 *
 * @param {number} port public port
 * @returns a proxy for DevEnv (`proxyFactory`); its `ready` rejects when the port is in use
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

/** Connects two sockets in both directions; an end or error of one closes the other. */
function join(visitor, worker) {
  visitor.pipe(worker);
  worker.pipe(visitor);
  visitor.once("error", () => worker.destroy());
  visitor.once("close", () => worker.destroy());
  worker.once("error", () => visitor.destroy());
}
