// The browser tests, against a running gateway with the demo story. One worker: they share the story's
// users, whose theme and sessions are real state on the server.
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/browser.ts";

const { executablePath, args, env } = await findBrowser();

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes at a second try has a fault, or the product has.
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.RAZAO_E2E_URL ?? "http://localhost:8080",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 1440, height: 900 },
    // The panels leave transitions out for those who wish it, and tests wait for none.
    reducedMotion: "reduce",
    // A trace of every test takes a third of the processor's time: RAZAO_TRACE=1 records them.
    trace: process.env.RAZAO_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath, args, env },
  },
  projects: [
    { name: "setup", testMatch: /sign-in\.setup\.ts/ },
    { name: "browser", testMatch: /\.spec\.ts/, dependencies: ["setup"] },
  ],
});
