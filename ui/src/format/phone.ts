// How telephone numbers are shown. The plan of numbers is apart (`phonePlan`), because most pages only show them.
import { fill } from "./mask";

/** A number without signs, or one that is being typed. */
export function showPhone(clean: string): string {
  if (/^(\+|00)/.test(clean)) return clean;
  if (clean.startsWith("0")) return fill("#### ### ####", clean);
  if (clean.length > 11) return fill("+## ## ####-####", clean);
  return fill(clean.length > 10 ? "(##) #####-####" : "(##) ####-####", clean);
}

const STORED = /^(?:\+?55)?(\d{10,11})$/;

/** A stored number with its mask; any other text comes back unchanged. */
export function phone(value: string): string {
  const digits = STORED.exec(value.replace(/[\s().-]/g, ""))?.[1];
  return digits === undefined ? value : showPhone(digits);
}
