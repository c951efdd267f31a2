// The tenant's colors as style variables. The gateway sets the brand color in the page for the first paint. This script
// sets all of them.
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
