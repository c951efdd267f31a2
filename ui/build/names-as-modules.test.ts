import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { namesAsModules } from "./names-as-modules";

const plugin = namesAsModules() as unknown as {
  transform(code: string): { code: string } | null;
  resolveId(source: string, importer: string): string | null;
  load(this: { addWatchFile(file: string): void }, id: string): Promise<{ code: string } | null>;
};
const importer = fileURLToPath(new URL("../src/strings/pt-BR.terminals.ts", import.meta.url));

it("imports each name of a generated file as a module", () => {
  const code = 'import { Acquisition, BillingType as Types } from "../api/words.json";\nconst a = 1;';
  expect(plugin.transform(code)?.code).toBe(
    'import Acquisition from "../api/words.json?name=Acquisition"; import Types from "../api/words.json?name=BillingType";\nconst a = 1;',
  );
  expect(plugin.transform('import { a } from "./other.json";')).toBeNull();
});

it("loads the value of one name alone", async () => {
  const id = plugin.resolveId("../api/words.json?name=Acquisition", importer);
  const loaded = await plugin.load.call({ addWatchFile: () => undefined }, id ?? "");
  expect(loaded?.code).toBe('export default {"0":"Comprada","1":"Alugada"};');
  expect(await plugin.load.call({ addWatchFile: () => undefined }, "src/api/words.json")).toBeNull();
});
