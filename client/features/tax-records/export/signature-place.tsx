import { showDate, today } from '#client/lib/format.ts';
import classes from './signature-place.module.css';

/** The line above a signature: room for the place, and the date of today. */
export function SignaturePlace() {
  return (
    <p>
      <span className={classes['place']} />, {showDate(today())}
    </p>
  );
}
