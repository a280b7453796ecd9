import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { propertyColor } from './property-colors.ts';
import classes from './property-table.module.css';

/** The property types with amount and percentage. The number before a name is also on its slice of the chart. */
export function PropertyTable({ shares }: { shares: readonly PropertyStatistics[] }) {
  const total = totalAmount(shares);
  return (
    <table className={classes['table']}>
      <caption className={classes['caption']}>Pajak menurut jenis properti</caption>
      <thead>
        <tr>
          <th scope="col">Jenis Properti</th>
          <th scope="col" className={classes['figure']}>
            Jumlah
          </th>
          <th scope="col" className={classes['figure']}>
            Persentase
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share, index) => (
          <tr key={share.property}>
            <th scope="row">
              <span className={classes['name']}>
                <span className={classes['mark']} style={{ background: propertyColor(share.property) }} aria-hidden>
                  {index + 1}
                </span>
                {share.property}
              </span>
            </th>
            <td className={`${classes['figure']} ${classes['amount']}`}>
              <Money amount={share.amount} />
            </td>
            <td className={classes['figure']}>{formatNumber(share.percentage)}%</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className={`${classes['figure']} ${classes['amount']}`}>
            <Money amount={total} />
          </td>
          <td className={classes['figure']}>{total > 0 ? '100%' : '0%'}</td>
        </tr>
      </tfoot>
    </table>
  );
}
