// What the gateway wrote into index.html for this host: which panel, under which product name and colors, and the
// nonce that lets generated styles past the Content-Security-Policy.

export type PanelName = "seller" | "admin";

function meta(name: string): string {
  // Unit tests have no document.
  return globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

export const panel: PanelName = meta("razao-panel") === "admin" ? "admin" : "seller";
export const product = meta("razao-product") || "Razão";
/** The tenant's colors, as it chose them. */
export const brandColor = meta("theme-color");
/** Of the dates of people who chose no zone of their own. */
export const tenantTimeZone = meta("razao-time-zone") || "UTC";

export const highlightColor = meta("razao-highlight");
export const styleNonce = meta("csp-nonce");
