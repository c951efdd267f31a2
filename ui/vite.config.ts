/// <reference types="vitest/config" />
// How the panels are built and served while developing, and how panels and checkout are unit-tested. Run from the
// repository's root: `vite build ui`, `vite ui`, `vitest run --root ui`.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { accessTables } from "./build/access-tables.ts";
import { compressedAssets } from "./build/compressed-assets.ts";
import { namesAsModules } from "./build/names-as-modules.ts";
import { weightBudget } from "./build/weight-budget.ts";

/** The limits in kilobytes, gzipped. */
const BUDGET = { entryJs: 186, page: 45, routeJs: 87 };

/**
 * Without groups there are 330 scripts, many of one icon or one function, and a page requests 60 of them. A module
 * that at least 17 entries (routes, modals, charts) share is in `common`, which nearly all pages load.
 */
const GROUPS = [
  { name: "entry", tags: ["$initial" as const], priority: 2 },
  { name: "common", minShareCount: 17, priority: 1 },
];

export default defineConfig({
  root: import.meta.dirname,
  // The one package.json is the repository's, so its node_modules holds the cache too.
  cacheDir: "../node_modules/.vite",
  plugins: [accessTables(), namesAsModules(), react(), weightBudget(BUDGET), compressedAssets()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The Content-Security-Policy allows no inlined script and no inlined font.
    assetsInlineLimit: 0,
    // One style sheet for all, because each page's own styles are a few hundred bytes.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
    modulePreload: { polyfill: false },
    // build/weight-budget.ts checks the gzipped weight.
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { "/api": process.env.RAZAO_API_URL ?? "http://localhost:8080" } },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "checkout/**/*.test.ts", "build/**/*.test.ts"],
    // Test files share the modules that a worker has loaded, in a quarter of the time. No test mocks a module.
    isolate: false,
    unstubGlobals: true,
    // Far above the time of any test, because a busy machine is slow. A test that hangs still fails.
    testTimeout: 60_000,
  },
});
