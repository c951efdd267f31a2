// The device of a session in Portuguese, from the browser's user agent.
import { accountStrings } from "../strings/pt-BR.account";

const words = accountStrings.sessions;

const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\b(OPR|Opera|OPT)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
];

const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

const find = (patterns: typeof BROWSERS, text: string) =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0];

/** "Chrome no Windows"; for a program other than a browser its name, such as "curl". */
export function deviceText(userAgent: string): string {
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (browser && system) return words.device(browser, system);
  return browser ?? system ?? (/^[^\s/]+/.exec(userAgent)?.[0] || words.unknownDevice);
}

export type DeviceKind = "phone" | "desk" | "program";

export function deviceKind(userAgent: string): DeviceKind {
  if (/\b(iPhone|iPad|Android)\b/.test(userAgent)) return "phone";
  return find(SYSTEMS, userAgent) ? "desk" : "program";
}
