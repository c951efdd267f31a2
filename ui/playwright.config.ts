// The browser tests, against running gateways with the demo story: one for each worker, because the theme and the
// sessions of the story's users are real state on the server.
import { register } from "node:module";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/browser.ts";
import { server, WORKERS } from "./e2e/servers.ts";

register("./e2e/json-names.mjs", import.meta.url);

const { executablePath, args, env } = await findBrowser();

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/delete-stored-states.ts",
  outputDir: "test-results",
  workers: WORKERS,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes only at its second try shows a fault of the test or of the product.
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    baseURL: server.url,
    // Shorter than the test's timeout: a missing element fails its own step, so the report names the line.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 1440, height: 900 },
    // The panels have no transitions for users who turn them off, so tests need not wait for any.
    reducedMotion: "reduce",
    // A trace of every test takes a third of the processor's time: RAZAO_TRACE=1 records them.
    trace: process.env.RAZAO_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath, args, env },
  },
  projects: [{ name: "browser", testMatch: /\.spec\.ts/ }],
});
