// The bars of a boleto: Interleaved 2 of 5.

/** Of each digit: which of its five bars are wide. */
const WIDE = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"];
const NARROW_UNITS = 1;
const WIDE_UNITS = 3;
/** Blank on each side. */
const QUIET_UNITS = 10;

export interface Bar {
  x: number;
  width: number;
}

const widthOf = (wide: string | undefined) => (wide === "1" ? WIDE_UNITS : NARROW_UNITS);

const START = [NARROW_UNITS, NARROW_UNITS, NARROW_UNITS, NARROW_UNITS];
const STOP = [WIDE_UNITS, NARROW_UNITS, NARROW_UNITS];

/** Alternating widths of bar and space: the first digit of a pair is drawn in bars, the second in spaces. */
function widths(digits: string): number[] {
  const all = [...START];
  for (let at = 0; at < digits.length; at += 2) {
    const bars = WIDE[Number(digits[at])] ?? "";
    const spaces = WIDE[Number(digits[at + 1])] ?? "";
    for (let place = 0; place < bars.length; place += 1)
      all.push(widthOf(bars[place]), widthOf(spaces[place]));
  }
  return [...all, ...STOP];
}

/** Undefined for anything but an even number of digits. */
export function barsOf(digits: string): { bars: Bar[]; width: number } | undefined {
  if (!/^(\d\d)+$/.test(digits)) return undefined;
  const bars: Bar[] = [];
  let x = QUIET_UNITS;
  for (const [place, width] of widths(digits).entries()) {
    if (place % 2 === 0) bars.push({ x, width });
    x += width;
  }
  return { bars, width: x + QUIET_UNITS };
}

/** The line of 47 digits in its five fields: "00190.00009 02714.602009 …". Any other is left as it is. */
export function showLine(line: string): string {
  const digits = line.replace(/\D/g, "");
  const fields = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/;
  return fields.test(digits) ? digits.replace(fields, "$1.$2 $3.$4 $5.$6 $7 $8") : line;
}
