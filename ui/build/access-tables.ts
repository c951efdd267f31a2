// Lets modules import the tables of fixtures/access as text (`….tsv?raw`) without their comments.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const TABLE = /\.tsv\?raw$/;

function withoutComments(text: string): string {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join("\n");
}

export function accessTables(): Plugin {
  return {
    name: "access-tables",
    // Runs before Vite's own handling of `?raw`.
    enforce: "pre",
    async load(id) {
      if (!TABLE.test(id)) return null;
      const file = id.replace(/\?raw$/, "");
      this.addWatchFile(file);
      return `export default ${JSON.stringify(withoutComments(await readFile(file, "utf8")))};`;
    },
  };
}
