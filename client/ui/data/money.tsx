import { formatRupiah } from '#client/lib/format.ts';

/** An amount in rupiah that lines up under others and never breaks over two lines. */
export function Money({ amount, className }: { amount: number; className?: string }) {
  return <span className={className ? `money ${className}` : 'money'}>{formatRupiah(amount)}</span>;
}
