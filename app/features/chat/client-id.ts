/** Generates an id of 32 hexadecimal digits; randomUUID exists in secure contexts only. */
export function newClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
