// Keys with which the shop signs notifications (Web Push, RFC 8292).
import { generateKeyPairSync } from "node:crypto";

/** @returns {{ publicKey: string, privateKey: string }} point and scalar of P-256, in base64url */
export function newVapidKeys() {
  const { x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey: d };
}
