const V6_GROUPS = 8;
/** Groups of an IPv6 address that name the subscriber's network, a /64. */
const NETWORK_GROUPS = 4;

/**
 * Names the network that an address is counted as: an IPv4 address is its own, an IPv6 one its /64, for a subscriber has
 * all of it.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail ? tail.split(":") : [];
  if (tail !== undefined)
    groups.push(...Array<string>(Math.max(0, V6_GROUPS - groups.length - rest.length)).fill("0"), ...rest);
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
