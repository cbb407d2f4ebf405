// TCP proxy in front of the local Worker, instead of wrangler's (docs/decisions/0017-local-proxy.md).
import { connect, createServer } from "node:net";

/**
 * Creates a proxy that forwards each connection unchanged to the Worker.
 *
 * wrangler's own proxy (ProxyController) keeps its connections to the Worker for five seconds, and so does the Worker: a
 * request on a connection that is being closed is lost and answered 500, "Network connection lost". Here each connection
 * to the Worker belongs to one client's connection and closes with it; browsers then retry by themselves.
 *
 * @param {number} port public port
 * @returns a proxy for DevEnv (`proxyFactory`); its `ready` rejects when the port is in use
 */
export function tcpProxy(port) {
  const ready = {};
  // Promise.withResolvers needs Node.js 22.
  ready.promise = new Promise((resolve, reject) => {
    ready.resolve = resolve;
    ready.reject = reject;
  });
  const clients = new Set();
  let target = null;
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.once("close", () => clients.delete(client));
    join(client, connect({ ...target, noDelay: true }));
  });
  // Each reload tries again to listen on a port that is in use.
  server.on("error", ready.reject);
  return {
    ready,
    onConfigUpdate() {},
    onBundleStart() {},
    onReloadStart() {},
    onReloadComplete({ proxyData }) {
      const { hostname, port: workerPort } = proxyData.userWorkerUrl;
      target = { host: hostname, port: Number(workerPort) };
      if (!server.listening) server.listen(port, "127.0.0.1", () => ready.resolve({}));
    },
    async teardown() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}

/** Connects two sockets in both directions; when the client closes or either fails, both close. */
function join(client, worker) {
  client.pipe(worker);
  worker.pipe(client);
  client.once("error", () => worker.destroy());
  client.once("close", () => worker.destroy());
  worker.once("error", () => client.destroy());
}
