export async function purgeExpired(_env: Env) {}
