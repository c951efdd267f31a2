// Lets modules import the tables of fixtures/access as text (`….tsv?raw`) without their comments, and without the columns
// that only the gateway reads: every page loads the tables.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const TABLE = /\.tsv\?raw$/;
const OF_GATEWAY: readonly string[] = ["capability", "reads"];

function ofPanels(text: string): string {
  const rows = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
  const kept = rows[0]?.map((column) => !OF_GATEWAY.includes(column)) ?? [];
  return rows.map((row) => row.filter((_, column) => kept[column] ?? true).join("\t")).join("\n");
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
      return `export default ${JSON.stringify(ofPanels(await readFile(file, "utf8")))};`;
    },
  };
}
