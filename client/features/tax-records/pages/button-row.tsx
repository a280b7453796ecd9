import type { ReactNode } from 'react';
import classes from './button-row.module.css';

/** Buttons beside a heading that share one row, on phones too. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes['row']}>{children}</div>;
}
