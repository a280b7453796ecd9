import type { ReactNode } from 'react';
import classes from './detail-list.module.css';

export type DetailItem = { label: string; value: ReactNode; wide?: boolean };

/** Names and values of one object, in as many columns as fit. */
export function DetailList({ items }: { items: DetailItem[] }) {
  return (
    <dl className={classes['list']}>
      {items.map((item) => (
        <div key={item.label} className={item.wide ? classes['wide'] : undefined}>
          <dt className={classes['term']}>{item.label}</dt>
          <dd className={classes['value']}>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
