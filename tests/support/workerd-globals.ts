import { scheduler } from "node:timers/promises";

// Global in workerd; unit tests run in Node.
Object.assign(globalThis, { scheduler });
