import { RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";

export default async function handleRequest(request, status, headers, context) {
  const stream = await renderToReadableStream(<RemixServer context={context} url={request.url} />);
  await stream.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(stream, { headers, status });
}
