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

/** Spelled with a hyphen, as in the lists of brands. */
export const EXCLUDED_BRANDS = ["visa-electron", "maestro"] as const;
