import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "./build/server";

const remix = createRequestHandler(build, "production");

/** Reference for rendered pages: Remix with one page that reads D1 once. */
export default { fetch: (request, env) => remix(request, { env }) };
