// The title of a column, broken where it is long.

const LENGTH_MAX = 20;

/** Breaks a long title before its last word. The break does not depend on the rows, so their arrival moves nothing. */
export function titleInLines(title: string): string {
  const space = title.lastIndexOf(" ");
  if (title.length <= LENGTH_MAX || space < 0 || title.includes("\n")) return title;
  return `${title.slice(0, space)}\n${title.slice(space + 1)}`;
}

/** Breaks a title of a table with many columns at the space nearest to its middle, unless it is short. */
export function titleInHalves(title: string, lengthMax = 12): string {
  if (title.length <= lengthMax) return title;
  const spaces = [...title.matchAll(/ /g)].map(({ index }) => index);
  const distance = (space: number) => Math.abs(space - title.length / 2);
  const [middle] = spaces.toSorted((one, other) => distance(one) - distance(other));
  return middle === undefined ? title : `${title.slice(0, middle)}\n${title.slice(middle + 1)}`;
}
