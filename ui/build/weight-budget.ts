// Fails the build if a page exceeds its weight budget: the gzipped size of its scripts, and of the HTML with its styles.
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** In kilobytes. */
export interface Budget {
  entryJs: number;
  /** The limit of each HTML page together with the styles that it holds or links. */
  page: number;
  /** The limit of each script that an entry loads later, with its imports. Without it, they count as the entry's. */
  routeJs?: number;
}

/** Chunks of charts. They have no budget, because they load after their page, in place of a skeleton. */
const CHART_CHUNK = /Chart/;

export interface Weight {
  name: string;
  kb: number;
  kbMax: number;
}

type Output = Pick<
  Rolldown.OutputChunk,
  "type" | "fileName" | "code" | "isEntry" | "imports" | "dynamicImports"
>;

const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)"/g;

const gzipKb = (text: string | Uint8Array) => gzipSync(text).length / 1000;

/** `start` and the files that it imports, except those in `loaded`. `later` adds the dynamic imports. */
function closure(
  start: string,
  chunks: Map<string, Output>,
  { loaded, later = false }: { loaded?: ReadonlySet<string>; later?: boolean } = {},
): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || loaded?.has(file)) continue;
    found.add(file);
    const chunk = chunks.get(file);
    open.push(...(chunk?.imports ?? []), ...(later ? (chunk?.dynamicImports ?? []) : []));
  }
  return found;
}

function scriptWeights(bundle: Rolldown.OutputBundle, budget: Budget): Weight[] {
  const chunks = new Map<string, Output>();
  for (const file of Object.values(bundle)) if (file.type === "chunk") chunks.set(file.fileName, file);
  const kbOf = (files: Set<string>) =>
    [...files].reduce((sum, file) => sum + gzipKb(chunks.get(file)?.code ?? ""), 0);

  const weights: Weight[] = [];
  for (const entry of chunks.values()) {
    if (!entry.isEntry) continue;
    const first = closure(entry.fileName, chunks, { later: budget.routeJs === undefined });
    weights.push({ name: `${entry.fileName} (entry)`, kb: kbOf(first), kbMax: budget.entryJs });
    if (budget.routeJs === undefined) continue;
    for (const route of entry.dynamicImports) {
      if (CHART_CHUNK.test(route)) continue;
      const kb = kbOf(closure(route, chunks, { loaded: first }));
      weights.push({ name: route, kb, kbMax: budget.routeJs });
    }
  }
  return weights;
}

function pageWeights(bundle: Rolldown.OutputBundle, budget: Budget): Weight[] {
  const weights: Weight[] = [];
  for (const page of Object.values(bundle)) {
    if (page.type !== "asset" || !page.fileName.endsWith(".html")) continue;
    const linked = [...String(page.source).matchAll(STYLESHEET)].map(([, file = ""]) => bundle[file]);
    const kb = [page, ...linked].reduce(
      (sum, file) => (file?.type === "asset" ? sum + gzipKb(file.source) : sum),
      0,
    );
    weights.push({ name: `${page.fileName} (with its styles)`, kb, kbMax: budget.page });
  }
  return weights;
}

export function weightsOf(bundle: Rolldown.OutputBundle, budget: Budget): Weight[] {
  const scripts = scriptWeights(bundle, budget);
  if (scripts.length === 0) throw new Error("the bundle has no entry");
  const pages = pageWeights(bundle, budget);
  if (pages.length === 0) throw new Error("the bundle has no page");
  return [...scripts, ...pages];
}

export function weightBudget(budget: Budget): Plugin {
  return {
    name: "weight-budget",
    apply: "build",
    // Not `generateBundle`: pages and the names of their styles are final only here.
    writeBundle(_options, bundle) {
      for (const { name, kb, kbMax } of weightsOf(bundle, budget)) {
        const line = `${name}: ${kb.toFixed(1)} of ${kbMax} kB gzipped`;
        if (kb > kbMax) this.error(`over the weight budget: ${line}`);
        this.info(line);
      }
    },
  };
}
