// The Chromium of the browser tests: CHROME_PATH, else the system's, else an npm package's. Nothing is downloaded
// here.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

/** The headless shell is lighter. */
const SYSTEM_BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** A page lives for seconds: V8's optimizing compilers and its threads for garbage cost more than they save. */
const SHORT_LIVED = "--js-flags=--no-opt,--no-maglev,--single-threaded-gc";
/** Some systems cannot resolve admin.localhost, nor can some browser builds. */
const LOOPBACK_NAMES = "--host-resolver-rules=MAP *.localhost 127.0.0.1";

function currentEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

export async function findBrowser(): Promise<Browser> {
  const chosen = process.env.CHROME_PATH ?? SYSTEM_BROWSERS.find(existsSync);
  if (chosen)
    return { executablePath: chosen, args: [...QUIET, SHORT_LIVED, LOOPBACK_NAMES], env: currentEnv() };
  return await packagedBrowser();
}

/**
 * The package unpacks a browser for AWS Lambda into the temporary folder. It sets up the browser's libraries only in
 * that runtime. So two variables are changed while it unpacks.
 */
async function packagedBrowser(): Promise<Browser> {
  // The package exports only its code, so its version is read from the folder of the entry file.
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest = join(entry.slice(0, entry.lastIndexOf("@sparticuz")), "@sparticuz/chromium/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  // One folder per version, because the package uses any binary that it finds there.
  const home = join(tmpdir().replace(/\/razao-chromium-[^/]+$/, ""), `razao-chromium-${version}`);
  mkdirSync(home, { recursive: true });

  const outside = { tmp: process.env.TMPDIR, runtime: process.env.AWS_LAMBDA_JS_RUNTIME };
  process.env.TMPDIR = home;
  process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs20.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const executablePath = await chromium.executablePath();
  restore("TMPDIR", outside.tmp);
  restore("AWS_LAMBDA_JS_RUNTIME", outside.runtime);

  const fonts = join(home, "fonts");
  const fontsConf = join(fonts, "fonts.conf");
  writeFileSync(
    fontsConf,
    readFileSync(fontsConf, "utf8").replace(/<dir>[^<]*<\/dir>/g, `<dir>${fonts}</dir>`),
  );
  return {
    executablePath,
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      SHORT_LIVED,
      LOOPBACK_NAMES,
    ],
    env: { ...currentEnv(), FONTCONFIG_PATH: fonts, LD_LIBRARY_PATH: join(home, "al2023", "lib") },
  };
}

function restore(name: string, value: string | undefined) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
