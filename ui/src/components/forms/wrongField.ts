// After a refusal the keyboard goes to what has to be mended.

/** The first field of `form` that is marked as wrong, in the order of the screen. */
export function focusWrongField(form: HTMLElement | null): boolean {
  // A password field knows no aria-invalid of its own.
  const field = form?.querySelector<HTMLElement>("input[data-invalid], textarea[data-invalid]");
  field?.focus();
  return field !== null && field !== undefined;
}
