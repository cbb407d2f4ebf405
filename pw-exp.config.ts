import base from "./playwright.config";

const args = [...(base.use?.launchOptions?.args ?? [])];
const extra = (process.env.X_ARGS ?? "").split(" ").filter(Boolean);
const blink = process.env.X_BLINK;
const i = args.findIndex((a) => a.startsWith("--blink-settings="));
if (blink) args[i] += `,${blink}`;
export default {
  ...base,
  use: {
    ...base.use,
    launchOptions: { ...base.use?.launchOptions, args: [...args, ...extra] },
    ...(process.env.X_MOTION ? { contextOptions: { reducedMotion: "reduce" } } : {}),
  },
};
