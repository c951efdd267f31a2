// Which card brands a plan's fees are grouped by, and which ones no fee can be set for.

export const MAIN_BRANDS = ["visa", "mastercard"] as const;

export const OTHER_BRANDS = [
  "elo",
  "amex",
  "diners",
  "hipercard",
  "hiper",
  "discover",
  "aura",
  "banes",
  "jcb",
  "cabal",
  "credtodos",
  "goodcard",
] as const;

/** Spelled as the lists of brands spell it: with a hyphen. */
export const EXCLUDED_BRANDS = ["visa-electron", "maestro"] as const;
