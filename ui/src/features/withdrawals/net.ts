// What reaches the bank: nothing, unless the withdrawal is worth more than its fee.

export function netOf(amount: number | undefined, fee: number): number {
  return amount !== undefined && amount > fee ? amount - fee : 0;
}
