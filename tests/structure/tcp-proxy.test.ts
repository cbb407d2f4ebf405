import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { tcpProxy } from "../../scripts/tcp-proxy.mjs";

it("a proxy on a port in use rejects once, and survives further reloads", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const proxy = tcpProxy(port);
  const reload = () =>
    proxy.onReloadComplete({ proxyData: { userWorkerUrl: { hostname: "127.0.0.1", port: "1" } } });
  reload();
  await expect(proxy.ready.promise).rejects.toThrow("EADDRINUSE");
  reload();
  // An error without a listener would fail the run.
  await new Promise((resolve) => setImmediate(resolve));
  await proxy.teardown();
  other.close();
  await once(other, "close");
});
