// Short forms of long texts.

const SHORT_CODE_LENGTH = 12;

/** The last twelve characters, in capitals: the code by which users and support name a record. */
export function shortCode(id: string): string {
  return id.slice(-SHORT_CODE_LENGTH).toUpperCase();
}

/** The first twelve characters without hyphens. The specification has this form; no screen uses it yet. */
export function shortCodeFromStart(id: string): string {
  return id.replaceAll("-", "").slice(0, SHORT_CODE_LENGTH);
}

/** At most `length` characters of the text, then "..."; code points are never cut in half. */
export function truncate(text: string, length = 30): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length).join("")}...`;
}
