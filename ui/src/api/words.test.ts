// The panels show each label of the gateway's enums, or say why they show another text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import words from "./words.json";

/** Labels of spreadsheets and e-mails that no panel shows, each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  Axis: "a choice of the form that asks for a past balance, which reads 'Registrado até'",
  BusinessDecisionStatus:
    "a company shows the decision that waits and the one in force, each under its own title",
  Direction: "a choice of the form of adjustments, which reads 'Creditar no saldo'",
  FeePayer: "sellers read 'Você (vendedor)'",
  Initiator: "the timeline shows the author of an event",
  ReportName: "the titles of screens are in fixtures/access/screens.tsv",
  StopReason: "the panel says what the reader can do",
};

const SRC = join(import.meta.dirname, "..");
const IMPORT = /import \{([^}]*)\} from "[./]*api\/words\.json"/g;

function importedNames(): Set<string> {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const lists = files.flatMap((file) =>
    [...readFileSync(join(SRC, file), "utf8").matchAll(IMPORT)].map(([, names = ""]) => names),
  );
  return new Set(lists.flatMap((names) => names.split(",").map((name) => name.trim().replace(/ as .*/, ""))));
}

it("imports the labels of each enum, or says why not", () => {
  const imported = importedNames();
  const missing = Object.keys(words).filter((name) => !imported.has(name));
  expect(missing).toEqual(Object.keys(NOT_SHOWN).toSorted());
});
