import type { ReactNode } from 'react';
import classes from './detail-list.module.css';

export type DetailItem = { label: string; value: ReactNode; wide?: boolean };

type Props = {
  items: DetailItem[];
  /** On phones a value stands beside its name. */
  compact?: boolean;
};

/** Names and values of one object, in as many columns as fit. */
export function DetailList({ items, compact = false }: Props) {
  return (
    <dl className={classes['list']} data-compact={compact || undefined}>
      {items.map((item) => (
        <div key={item.label} className={item.wide ? classes['wide'] : undefined}>
          <dt className={classes['term']}>{item.label}</dt>
          <dd className={classes['value']}>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
