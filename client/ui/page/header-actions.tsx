import type { ReactNode } from 'react';
import classes from './header-actions.module.css';

/** The buttons beside a heading. On phones the first has a row of its own and the others share one. */
export function HeaderActions({ children }: { children: ReactNode }) {
  return <div className={classes['actions']}>{children}</div>;
}
