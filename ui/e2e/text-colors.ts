// The texts whose contrast axe checks: one of each combination of colors, instead of every cell of every row.

/** Marks the texts to check. axe's rule for contrast is configured to check marked elements only. */
export const MARK = "data-check-contrast";

/**
 * Runs in the page. Marks the elements of a part (the last one, or the whole page) that have a text, except those that
 * have the colors of a marked one. A field, and a text that may lie over another element than its parents, is always
 * marked, because their colors do not decide its contrast alone.
 */
export function markTexts([part, mark]: readonly [part: string | undefined, mark: string]) {
  const root = part ? [...document.querySelectorAll(part)].at(-1) : document.documentElement;
  if (!root) throw new Error(`the page has no ${part}`);
  const knownColors = new Map<Element, string>();
  /** The backgrounds and transparencies from the element to the root. */
  const colorsOf = (element: Element): string => {
    const known = knownColors.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join();
    const above = element.parentElement ? colorsOf(element.parentElement) : "";
    // Most elements have no background, and so the colors of their parent.
    const colors = own === "rgba(0, 0, 0, 0),none,1,none,normal" ? above : `${own}|${above}`;
    knownColors.set(element, colors);
    return colors;
  };
  const isPlaced = (element: Element) => !["static", "relative"].includes(getComputedStyle(element).position);
  const mayOverlap = (element: Element) => {
    for (let each: Element | null = element; each && each !== root; each = each.parentElement) {
      if (isPlaced(each)) return true;
    }
    return [...(element.parentElement?.children ?? [])].some(isPlaced);
  };
  const isField = (element: Element) => element.matches("input, select, textarea, button");
  const hasText = (element: Element) =>
    [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim(),
    );
  const seen = new Set<string>();
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!(isField(element) || hasText(element)) || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // axe does not check what is disabled, nor its label.
    const mayBeDisabled = element.closest(":disabled, [aria-disabled=true], label") !== null;
    const key = [color, fontSize, fontWeight, textShadow, colorsOf(element)].join(";");
    const always = isField(element) || mayBeDisabled || mayOverlap(element);
    if (always || !seen.has(key)) element.setAttribute(mark, "");
    if (!always) seen.add(key);
  }
}
