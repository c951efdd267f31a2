// Reads a saved XLSX file: the names of its sheets, and the typed cells of the first one. Our exports have no formulas,
// and dates are numbers.
import { inflateRawSync } from "node:zlib";
import { expect, type Locator, type Page } from "@playwright/test";

type Cell = string | number;

export interface Sheet {
  file: string;
  sheets: string[];
  titles: string[];
  rows: Record<string, Cell | undefined>[];
}

const END_OF_DIRECTORY = 0x06054b50;
const STORED = 0;

/** The files of an archive by name (PKWARE APPNOTE 4.3). */
function unzip(archive: Buffer): Map<string, string> {
  let end = archive.length - 22;
  while (archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  const files = new Map<string, string>();
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = archive.readUInt16LE(entry + 10);
    const packed = archive.readUInt32LE(entry + 20);
    const nameLength = archive.readUInt16LE(entry + 28);
    const name = archive.toString("utf8", entry + 46, entry + 46 + nameLength);
    const local = archive.readUInt32LE(entry + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + packed);
    files.set(name, (method === STORED ? bytes : inflateRawSync(bytes)).toString("utf8"));
    entry += 46 + nameLength + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
  }
  return files;
}

const plainText = (xml: string) =>
  xml
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

const columnIndex = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function cellsOf(row: string, shared: readonly string[]): (Cell | undefined)[] {
  const cells: (Cell | undefined)[] = [];
  for (const [, letters = "", attributes = "", inner = ""] of row.matchAll(
    /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
  )) {
    const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1];
    if (attributes.includes('t="s"')) cells[columnIndex(letters)] = shared[Number(value)];
    else if (attributes.includes('t="inlineStr"')) cells[columnIndex(letters)] = plainText(inner);
    else if (attributes.includes('t="str"')) cells[columnIndex(letters)] = plainText(value ?? "");
    else if (value !== undefined) cells[columnIndex(letters)] = Number(value);
  }
  return cells;
}

function readSheet(file: string, archive: Buffer): Sheet {
  const files = unzip(archive);
  const shared = [...(files.get("xl/sharedStrings.xml") ?? "").matchAll(/<si>(.*?)<\/si>/gs)].map(
    ([, item]) => plainText(item ?? ""),
  );
  const sheets = [...(files.get("xl/workbook.xml") ?? "").matchAll(/<sheet name="([^"]+)"/g)].map(
    ([, name]) => name ?? "",
  );
  const lines = [...(files.get("xl/worksheets/sheet1.xml") ?? "").matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(
    ([, row]) => cellsOf(row ?? "", shared),
  );
  const titles = (lines[0] ?? []).map(String);
  const rows = lines
    .slice(1)
    .map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index]])));
  return { file, sheets, titles, rows };
}

/** An amount of a sheet, in reais, as cents. It must be exact to the cent. */
export function centsOf(cell: Cell | undefined): number {
  const cents = Math.round(Number(cell) * 100);
  expect(cents / 100, `${cell} is an amount`).toBe(cell);
  return cents;
}

/** Saves the list on the screen, or the one in a part of it, and reads the file. */
export async function exportSheet(page: Page, within: Page | Locator = page): Promise<Sheet> {
  const saved = page.waitForEvent("download");
  await within.getByRole("button", { name: "Baixar planilha" }).click();
  const download = await saved;
  const parts = await (await download.createReadStream()).toArray();
  return readSheet(download.suggestedFilename(), Buffer.concat(parts as Buffer[]));
}
