// How the checkout is built: a separate entry with its own bundle, so that a buyer loads no script of the panels. It
// is written next to them: `vite build --config ui/vite.checkout.config.ts`, after `vite build ui`.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { checkoutPage } from "./build/checkout-page.ts";
import { compressedAssets } from "./build/compressed-assets.ts";
import { weightBudget } from "./build/weight-budget.ts";

/**
 * The limits in kilobytes, gzipped, with all scripts that are loaded later. A buyer's phone may be cheap and its
 * network slow.
 */
const BUDGET = { entryJs: 90, page: 8 };

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite-checkout",
  plugins: [react(), checkoutPage(), weightBudget(BUDGET), compressedAssets()],
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { checkout: "checkout/index.html" } },
  },
  server: { proxy: { "/api": process.env.RAZAO_API_URL ?? "http://localhost:8080" } },
});
