// Formats a CPF, CNPJ, CEP, telephone, date or instant while it is typed. A mask does not check the number: half a
// number is shown half formatted.
import { asciiDigits, fill, type Mask } from "./mask";
import { phoneMask } from "./phonePlan";

const digits = (length: number) => (text: string) => asciiDigits(text).slice(0, length);

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;
const CNPJ_LETTERS_UNTIL = 12;

/** A pasted document may have its name before it: "CPF: 529.982.247-25". */
const LABEL = /^\s*(?:CPF|CNPJ)(?:\/MF)?[\s:.º°-]*(?=\d|[\dA-Z]{2}\.)/;

/** Letters are valid only where a CNPJ has them: its last two places are digits. */
function cleanTaxId(text: string): string {
  let clean = "";
  for (const character of text.normalize("NFKC").toUpperCase().replace(LABEL, "")) {
    if (clean.length === CNPJ_LENGTH) break;
    const allowed = clean.length < CNPJ_LETTERS_UNTIL ? /[\dA-Z]/ : /\d/;
    if (allowed.test(character)) clean += character;
  }
  return clean;
}

/** A pasted date may be written as in a file ("2026-11-21"), with dots, or with short days and months ("1/2/2026"). */
function dateFirst(text: string): string {
  const written = text.normalize("NFKC").trim();
  const iso = /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/.exec(written);
  const match = iso ?? /^(?<day>\d{1,2})[-/. ](?<month>\d{1,2})[-/. ](?<year>\d{4})(?!\d)/.exec(written);
  const { day = "", month = "", year = "" } = match?.groups ?? {};
  const date = match ? day.padStart(2, "0") + month.padStart(2, "0") + year : "";
  return date + asciiDigits(written.slice(match?.[0].length ?? 0));
}

const dateDigits = (length: number) => (text: string) => dateFirst(text).slice(0, length);

const isCpf = (clean: string) => clean.length <= CPF_LENGTH && /^\d*$/.test(clean);

export const masks = {
  cpf: { clean: digits(CPF_LENGTH), show: (clean) => fill("###.###.###-##", clean) },
  taxId: {
    clean: cleanTaxId,
    show: (clean) => fill(isCpf(clean) ? "###.###.###-##" : "##.###.###/####-##", clean),
  },
  postalCode: { clean: digits(8), show: (clean) => fill("#####-###", clean) },
  date: { clean: dateDigits(8), show: (clean) => fill("##/##/####", clean) },
  instant: { clean: dateDigits(14), show: (clean) => fill("##/##/#### ##:##:##", clean) },
  phone: phoneMask,
} as const satisfies Record<string, Mask>;

/** The caret's place in `shown` that has `charsBefore` unmasked characters before it. */
export function caretAfter(mask: Mask, shown: string, charsBefore: number): number {
  if (charsBefore === 0) return 0;
  for (let end = 1; end <= shown.length; end += 1) {
    if (mask.clean(shown.slice(0, end)).length >= charsBefore) return end;
  }
  return shown.length;
}

export interface Edit {
  clean: string;
  /** The unmasked characters before the caret. */
  charsBefore: number;
}

interface InputChange {
  text: string;
  caret: number;
  /** The type of the input event. A program that fills the field gives none. */
  inputType: string | undefined;
}

/**
 * What a field holds that showed `shown` before the change. If Backspace or Delete took only a separator, which the
 * mask puts back, the character beyond it is deleted in its place: without that, the key would do nothing.
 */
export function editOf(mask: Mask, shown: string, { text, caret, inputType = "" }: InputChange): Edit {
  const clean = mask.clean(text);
  const charsBefore = mask.clean(text.slice(0, caret)).length;
  const deletion = /^delete.*(Backward|Forward)$/.exec(inputType)?.[1];
  if (!deletion || clean !== mask.clean(shown)) return { clean, charsBefore };
  const left = deletion === "Backward" ? Math.max(charsBefore - 1, 0) : charsBefore;
  const right = deletion === "Backward" ? charsBefore : charsBefore + 1;
  return { clean: mask.clean(clean.slice(0, left) + clean.slice(right)), charsBefore: left };
}
