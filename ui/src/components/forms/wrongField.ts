// After a refusal the keyboard goes to what has to be mended.

/** The first field of `form` that is marked as wrong, in the order of the screen. */
export function focusWrongField(form: HTMLElement | null): boolean {
  // A password field is marked in a way of its own.
  const field = form?.querySelector<HTMLElement>(
    ":is(input, textarea):is([aria-invalid=true], [data-invalid])",
  );
  field?.focus();
  return field !== null && field !== undefined;
}
