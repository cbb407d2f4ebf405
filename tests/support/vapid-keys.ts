import { generateKeyPairSync } from "node:crypto";

/** Makes keys of notifications (Web Push, RFC 8292): point and scalar of P-256, in base64url. */
export function newVapidKeys(): { publicKey: string; privateKey: string } {
  const { privateKey: made } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "", d = "" } = made.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey: d };
}
