interface Subscription {
  endpoint: string;
}

/**
 * Takes the place of the package that encrypts notifications: its Web Crypto answers from threads, in any order. Which
 * subscription is sent to, when and how often is the shop's.
 */
export async function buildPushPayload(message: { data: unknown }, { endpoint }: Subscription) {
  return { method: "POST", headers: {}, body: JSON.stringify({ endpoint, ...Object(message.data) }) };
}
