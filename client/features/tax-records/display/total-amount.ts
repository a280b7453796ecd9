/** The amounts together, in rupiah; summed in sen, because sums of decimals drift in doubles. */
export function totalAmount(records: readonly { amount: number }[]): number {
  return records.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
}
