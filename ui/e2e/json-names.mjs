// Node imports a JSON file only with an attribute, and then as one value. The panels import the names in src/api/*.json,
// as Vite does, so this hook of Node's loader makes each top-level name of a JSON file an export.
import { readFile } from "node:fs/promises";

export async function load(url, context, nextLoad) {
  if (!url.endsWith(".json")) return nextLoad(url, context);
  const values = JSON.parse(await readFile(new URL(url), "utf8"));
  const names = Object.entries(values).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
  );
  return { format: "module", source: names.join("\n"), shortCircuit: true };
}
