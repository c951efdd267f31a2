// The card brands by which a plan groups its fees, and those for which no fee can be set.

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

/** Spelled as in the specification; the API writes `visaelectron`. */
export const EXCLUDED_BRANDS = ["visa-electron", "maestro"] as const;
