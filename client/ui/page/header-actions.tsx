import type { ReactNode } from 'react';
import classes from './header-actions.module.css';

/** The buttons beside a heading. On phones the first has a row of its own and the others share one. */
export function HeaderActions({ children }: { children: ReactNode }) {
  return <div className={classes['actions']}>{children}</div>;
}

/** Buttons beside a heading that share one row, on phones too. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes['row']}>{children}</div>;
}
