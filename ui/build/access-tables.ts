// Lets modules import the tables of fixtures/access as text (`….tsv?raw`) without their comments and without the columns
// that only the gateway reads.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const TABLE = /\.tsv\?raw$/;

/** The tables have at most six columns: those after the fourth are the gateway's. */
const COLUMNS = 4;

function forPanels(text: string): string {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t").slice(0, COLUMNS).join("\t"))
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
      return `export default ${JSON.stringify(forPanels(await readFile(file, "utf8")))};`;
    },
  };
}
