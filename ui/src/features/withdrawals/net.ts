// The net amount of a withdrawal: zero unless the amount exceeds the fee.

export function netOf(amount: number | undefined, fee: number): number {
  return amount !== undefined && amount > fee ? amount - fee : 0;
}
