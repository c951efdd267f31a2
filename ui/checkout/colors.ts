// The tenant's colors as style variables. The gateway writes the brand color into the page for the first paint. The
// script sets the others.
import { tenantColorsOf } from "../src/format/tenantColors";

const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.getAttribute("content") ?? "";

const rules = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, color]) => `${name}:${color}`)
    .join(";");

export function applyTenantColors() {
  const colors = tenantColorsOf(meta("theme-color"), meta("razao-highlight"));
  if (!colors) return;
  const style = document.createElement("style");
  style.nonce = meta("csp-nonce");
  style.textContent = `:root{${rules(colors.light)}}@media(prefers-color-scheme:dark){:root{${rules(colors.dark)}}}`;
  document.head.append(style);
}
