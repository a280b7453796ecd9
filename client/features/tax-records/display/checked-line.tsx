import { Link } from 'react-router-dom';
import { ALL_CHECKED, checkedParts, isAllChecked } from '#client/lib/sum-texts.ts';
import { type AdminRecordsWhere, paths } from '#client/paths.ts';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import { stateOfPart } from '#shared/domain/tax-records/checked-sums.ts';
import classes from './checked-line.module.css';

type Props = {
  checked: CheckedSums;
  /** The filter of the records in the sum, where the admins' list has one. Then each part opens its list. */
  where?: AdminRecordsWhere;
};

/** Below a large sum of paid money: what the office knows of it (R-CHECK-50). */
export function CheckedLine({ checked, where }: Props) {
  const parts = checkedParts(checked);
  if (parts.length === 0) return null;
  if (isAllChecked(checked)) return <span className={classes['line']}>{ALL_CHECKED}</span>;
  return (
    <span className={classes['line']}>
      {parts.map(({ part, text }, index) => (
        <span key={part}>
          {where ? (
            <Link to={paths.adminRecordsWhere({ ...where, status: 'lunas', verification: stateOfPart(part) })}>
              {text}
            </Link>
          ) : (
            text
          )}
          {index < parts.length - 1 ? '\u00A0· ' : null}
        </span>
      ))}
    </span>
  );
}
