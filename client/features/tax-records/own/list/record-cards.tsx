import { RecordAmount } from '../../display/record-amount.tsx';
import { Paper, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { AssessmentDifference } from '../../display/assessment-difference.tsx';
import { DueDate } from '../../display/due-date.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { recordSubtitle, recordTitle } from '../../display/record-labels.ts';
import { OwnRecordMenu, viewLabel } from './record-menu.tsx';
import type { RowsProps } from './record-table.tsx';
import list from '#client/ui/list/list.module.css';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import classes from './record-list.module.css';

/** Whether a card shows when the record was paid, in place of when it is due. */
const isPaid = ({ status, payment_date: date }: TaxRecord) => status === 'lunas' && date !== null;

/** Records on small screens. */
export function OwnRecordCards({ records, editedId, onDelete }: RowsProps) {
  return (
    <ul className={list['cards']}>
      {records.map((record) => (
        <Paper
          key={record.id}
          component="li"
          withBorder
          className={classes['card']}
          data-row
          data-edited={record.id === editedId || undefined}
        >
          <div className={classes['cardHead']}>
            <div>
              <Link to={paths.record(record.id)} className={classes['title']}>
                <VisuallyHidden>{viewLabel(record)}: </VisuallyHidden>
                {record.tax_type} {record.year} · {recordTitle(record)}
              </Link>
              <Text c="dimmed" fz="sm" truncate>
                {recordSubtitle(record)}
              </Text>
            </div>
            <OwnRecordMenu record={record} onDelete={onDelete} />
          </div>
          <Text c="dimmed" fz="sm" className="tabular">
            SPT {formatSptNumber(record.spt_number)}
          </Text>
          <div className={classes['line']}>
            <Text fz="lg" fw={700} lh={1.3}>
              <RecordAmount record={record} />
            </Text>
            <StatusBadge status={record.status} />
          </div>
          <div className={`${classes['line']} ${classes['facts']}`}>
            <span>
              {isPaid(record) ? (
                `Dibayar ${showDateShort(record.payment_date)}`
              ) : (
                <>
                  Jatuh tempo <DueDate record={record} inline />
                </>
              )}
            </span>
            <VerificationMark record={record} scope="own" text="label" />
          </div>
          <AssessmentDifference record={record} scope="own" />
        </Paper>
      ))}
    </ul>
  );
}
