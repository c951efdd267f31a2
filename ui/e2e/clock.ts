// What time it is in a browser test: the gateway's own, which `just e2e` starts at RAZAO_NOW, or the machine's where
// the tests run against a gateway that is not theirs. Pages get the same time.
import { type Browser, type BrowserContext, test as base } from "@playwright/test";

interface Start {
  /** All in milliseconds of the epoch. */
  at: number;
  begun: number;
  /** The machine's seconds in one second of the clock. */
  slowdown: number;
}

function readStart(): Start | undefined {
  const { RAZAO_NOW, RAZAO_NOW_BEGUN, RAZAO_NOW_SLOWDOWN } = process.env;
  if (!RAZAO_NOW || !RAZAO_NOW_BEGUN) return undefined;
  return {
    at: Date.parse(RAZAO_NOW),
    begun: Number(RAZAO_NOW_BEGUN) * 1000,
    slowdown: Number(RAZAO_NOW_SLOWDOWN ?? 1),
  };
}

const start = readStart();

/** The instant at which a test is run. */
export function now(): Date {
  return start ? new Date(start.at + (Date.now() - start.begun) / start.slowdown) : new Date();
}

/** Runs in each page before its scripts. Cookies keep the machine's time, and so do the gateway's sessions. */
function replaceDate({ at, begun, slowdown }: Start) {
  const machine = Date;
  const time = () => Math.floor(at + (machine.now() - begun) / slowdown);
  globalThis.Date = new Proxy(machine, {
    apply: () => new machine(time()).toString(),
    construct: (target, values, made) =>
      Reflect.construct(target, values.length > 0 ? values : [time()], made),
    get: (target, name) => (name === "now" ? time : Reflect.get(target, name)),
  });
}

function startClocks(browser: Browser) {
  if (!start) return;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options): Promise<BrowserContext> => {
    const context = await open(options);
    await context.addInitScript(replaceDate, start);
    return context;
  };
}

/** All browser tests extend this one: every context that they open has the clock. */
export const test = base.extend<object, { clocks: undefined }>({
  clocks: [
    async ({ browser }, use) => {
      startClocks(browser);
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
});
