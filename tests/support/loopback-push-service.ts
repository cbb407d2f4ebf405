import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Request that the push service has received. */
export interface PushRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Push service on this machine, which accepts every message. */
export interface PushService {
  origin: string;
  /** In order of arrival. */
  requests: PushRequest[];
  stop(): Promise<void>;
}

/** Starts a push service on a free port of the loopback interface. */
export async function startPushService(): Promise<PushService> {
  const requests: PushRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(request.method === "POST" ? 201 : 405).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((done) => server.close(() => done()));
  return { origin: `http://127.0.0.1:${port}`, requests, stop };
}
