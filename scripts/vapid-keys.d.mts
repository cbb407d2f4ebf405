export function newVapidKeys(): { publicKey: string; privateKey: string };
