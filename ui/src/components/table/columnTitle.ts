// The title of a column, broken where it is long.

const LENGTH_MAX = 20;

/** Breaks a long title before its last word. The break is fixed, so that arriving rows do not move it. */
export function titleInLines(title: string): string {
  const space = title.lastIndexOf(" ");
  if (title.length <= LENGTH_MAX || space < 0) return title;
  return `${title.slice(0, space)}\n${title.slice(space + 1)}`;
}
