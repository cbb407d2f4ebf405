export async function checkLedger(_env: Env): Promise<void> {}
export async function sweepDeleted(_env: Env): Promise<void> {}
