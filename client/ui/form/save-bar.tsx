import type { ReactNode } from 'react';
import classes from './save-bar.module.css';

type Props = {
  /** Errors and progress of saving, above the buttons. */
  status?: ReactNode;
  /** The buttons; the last one saves. */
  children: ReactNode;
};

/** The buttons of a long form. They stay at the bottom of the screen (docs/requirements.md R-UI-22). */
export function SaveBar({ status, children }: Props) {
  return (
    // `global.css` looks for the attribute.
    <div className={`${classes['bar']} no-print`} data-save-bar>
      {status}
      <div className={classes['buttons']}>{children}</div>
    </div>
  );
}
