// Makes each name of a generated JSON file (src/api/words.json, src/api/sheets.json) a module of its own. A JSON file is
// one module, which would be in one script with the names of all areas: a route would load those of every other one.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";

const IMPORT = /import \{([^}]*)\} from "([^"]*\/api\/(?:words|sheets)\.json)";/g;
const NAME = /\?name=(\w+)$/;

/** An import of some names, as an import of a module for each. */
function split(names: string, file: string): string {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      const [exported, local = exported] = name.split(" as ");
      return `import ${local} from ${JSON.stringify(`${file}?name=${exported}`)};`;
    })
    .join(" ");
}

export function namesAsModules(): Plugin {
  return {
    name: "names-as-modules",
    // Runs before Vite's own handling of JSON.
    enforce: "pre",
    resolveId(source, importer) {
      if (!NAME.test(source) || importer === undefined) return null;
      // The file's own ending would make it JSON again.
      return `\0${resolve(dirname(importer), source)}`;
    },
    async load(id) {
      const [, name] = NAME.exec(id) ?? [];
      if (name === undefined) return null;
      const file = id.replace(NAME, "").slice(1);
      this.addWatchFile(file);
      const words: Record<string, unknown> = JSON.parse(await readFile(file, "utf8"));
      return { code: `export default ${JSON.stringify(words[name])};`, moduleType: "js" };
    },
    transform(code) {
      if (!code.includes("/api/words.json") && !code.includes("/api/sheets.json")) return null;
      return {
        code: code.replace(IMPORT, (_, names: string, file: string) => split(names, file)),
        map: null,
      };
    },
  };
}
