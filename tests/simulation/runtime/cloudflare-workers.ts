/** Takes the place of `cloudflare:workers` and `cloudflare:email` in the simulation. */

export class DurableObject<Env> {
  constructor(
    readonly ctx: DurableObjectState,
    readonly env: Env,
  ) {}
}

export class WorkerEntrypoint {}

export class EmailMessage {
  constructor(
    readonly from: string,
    readonly to: string,
    readonly raw: string,
  ) {}
}
