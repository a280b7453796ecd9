import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { OTHERS, propertyFill, sliceColor } from './property-fill.ts';
import { joinedTypes } from './property-slices.ts';
import classes from './property-table.module.css';

/** The property types with amount and percentage. The mark before a name looks as its slice of the chart. */
export function PropertyTable({ shares }: { shares: readonly PropertyStatistics[] }) {
  const total = totalAmount(shares);
  const joined = joinedTypes(shares);
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
        {shares.map((share) => (
          <tr key={share.property}>
            <th scope="row">
              <span className={classes['name']}>
                <svg className={classes['mark']} aria-hidden>
                  <rect
                    width="100%"
                    height="100%"
                    fill={propertyFill(joined.includes(share.property) ? OTHERS : share.property)}
                  />
                </svg>
                {share.property}
              </span>
              <span className={classes['track']} aria-hidden>
                <span
                  style={{
                    width: `${share.percentage}%`,
                    background: sliceColor(joined.includes(share.property) ? OTHERS : share.property),
                  }}
                />
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
