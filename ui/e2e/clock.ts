// The clock of the browser tests: the gateway's own, which `just e2e` starts at RAZAO_NOW, or the machine's for any
// other gateway. Pages get the same clock.
import { type Browser, type BrowserContext, test as base } from "@playwright/test";

interface Start {
  /** The clock's time when the machine's was `startedAt`, both in milliseconds since the epoch. */
  at: number;
  startedAt: number;
  /** How many seconds of the machine one second of the clock takes. */
  slowdown: number;
}

function readStart(): Start | undefined {
  const { RAZAO_NOW, RAZAO_NOW_BEGUN, RAZAO_NOW_SLOWDOWN } = process.env;
  if (!RAZAO_NOW || !RAZAO_NOW_BEGUN) return undefined;
  return {
    at: Date.parse(RAZAO_NOW),
    startedAt: Number(RAZAO_NOW_BEGUN) * 1000,
    slowdown: Number(RAZAO_NOW_SLOWDOWN ?? 1),
  };
}

const start = readStart();

/** The current time of the clock. */
export function now(): Date {
  return start ? new Date(start.at + (Date.now() - start.startedAt) / start.slowdown) : new Date();
}

/** Runs in each page before its scripts. Cookies and the gateway's sessions use the machine's time. */
function replaceDate({ at, startedAt, slowdown }: Start) {
  const machine = Date;
  const time = () => Math.floor(at + (machine.now() - startedAt) / slowdown);
  globalThis.Date = new Proxy(machine, {
    apply: () => new machine(time()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [time()], newTarget),
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

/** The base of all browser tests: each of their contexts has the clock. */
export const test = base.extend<object, { clocks: undefined }>({
  clocks: [
    async ({ browser }, use) => {
      startClocks(browser);
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
});
