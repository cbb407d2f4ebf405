/** Names of local networks and of no public network (RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's `.internal`). */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid|example|onion)$/;
/** Labels with dots between them and a top-level domain that begins with a letter: no IP address. */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** IP address within a name, which public resolvers translate to that address. */
const EMBEDDED_ADDRESS = /(?:^|[.-])\d{1,3}(?:[.-]\d{1,3}){3}(?=$|[.-])/;

/**
 * Tests for a URL that the Worker may send requests to: https, a name of the public DNS, the default port, no credentials. Only
 * the normal spelling is accepted, as browsers report it: the URL parser would turn others into an IP address.
 */
export function isPublicHttpsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password, port, hash, hostname } = new URL(text);
  const isPlain = href === text && protocol === "https:" && !username && !password && !port && !hash;
  return (
    isPlain && PUBLIC_NAME.test(hostname) && !LOCAL_NAME.test(hostname) && !EMBEDDED_ADDRESS.test(hostname)
  );
}
