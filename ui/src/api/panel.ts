// The data that the gateway writes into index.html for this host: the panel, the tenant's brand and time zone, the host
// of boletos, and a nonce. The Content-Security-Policy allows a generated style only if it has the nonce.

export type PanelName = "seller" | "admin";

function meta(name: string): string {
  // A unit test may have no document.
  return globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

export const panel: PanelName = meta("razao-panel") === "admin" ? "admin" : "seller";
export const product = meta("razao-product") || "Razão";
/** The address of the tenant's logo, or "". */
export const logo = meta("razao-logo");
/** Scheme and host of the boletos' pages, or "" for this host. */
export const boletoOrigin = meta("razao-boletos");
/** The tenant's two colors. */
export const brandColor = meta("theme-color");
export const highlightColor = meta("razao-highlight");
/** The zone of users who did not choose one. */
export const tenantTimeZone = meta("razao-time-zone") || "UTC";
export const styleNonce = meta("csp-nonce");
