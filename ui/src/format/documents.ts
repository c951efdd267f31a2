// Brazilian numbers as text: CPF, CNPJ, CEP. They are formatted, not validated.

const CPF = /^(\d{3})(\d{3})(\d{3})(\d{2})$/;
// Since July 2026 the first twelve places of a CNPJ may hold letters (IN RFB 2.229/2024).
const CNPJ = /^([\dA-Z]{2})([\dA-Z]{3})([\dA-Z]{3})([\dA-Z]{4})(\d{2})$/;

/** Formats a CPF or a CNPJ; anything else comes back unchanged. */
export function taxId(value: string): string {
  const bare = value.replace(/[.\-/\s]/g, "").toUpperCase();
  if (CPF.test(bare)) return bare.replace(CPF, "$1.$2.$3-$4");
  if (CNPJ.test(bare)) return bare.replace(CNPJ, "$1.$2.$3/$4-$5");
  return value;
}

export function postalCode(value: string): string {
  const digits = value.replace(/\D/g, "");
  return digits.length === 8 ? digits.replace(/^(\d{5})(\d{3})$/, "$1-$2") : value;
}
