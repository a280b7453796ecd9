import { RecordAmount } from '../../display/record-amount.tsx';
import { Anchor, Paper } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { AssessmentDifference } from '../../display/assessment-difference.tsx';
import { DueDate } from '../../display/due-date.tsx';
import { MarkPaidButton } from '../../display/mark-paid/mark-paid-button.tsx';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import { useOpenRow } from '#client/ui/list/rows/use-open-row.ts';
import { recordLabel } from '../../display/record-labels.ts';
import list from '#client/ui/list/list.module.css';
import rows from '#client/ui/list/rows/rows.module.css';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import classes from './record-list.module.css';
import type { RowsProps } from './record-table.tsx';
import { OwnerLink, ProofMark } from './row-cells.tsx';
import { RowMenu } from './row-menu.tsx';

/** Records on small screens. */
export function AdminRecordCards({ records, editedId, selection, onDelete, onUnmark }: RowsProps) {
  const openRow = useOpenRow();
  return (
    <>
      <PageCheckbox selection={selection} isLabelled />
      <ul className={list['cards']}>
        {records.map((record) => (
          <Paper
            key={record.id}
            component="li"
            withBorder
            radius="md"
            p="sm"
            className={rows['card']}
            data-row
            data-edited={record.id === editedId || undefined}
            data-selected={selection.has(record.id) || undefined}
            onClick={(event) => openRow(paths.adminRecord(record.id), event)}
          >
            <div className={rows['cardHead']}>
              <RowCheckbox row={record} label={recordLabel(record)} selection={selection} />
              <Anchor component={Link} to={paths.adminRecord(record.id)} fw={600} c="inherit">
                {record.name}
              </Anchor>
              <span className={`${classes['statusCell']} ${classes['cardStatus']}`}>
                <ProofMark record={record} />
                <StatusBadge status={record.status} />
              </span>
            </div>
            <div className={rows['second']}>
              <OwnerLink record={record} /> {record.address}
            </div>
            <div className={`${rows['second']} ${rows['facts']}`}>
              <span>
                {record.tax_type} {record.year} · {formatSptNumber(record.spt_number)}
              </span>
              <span className={classes['nowrap']}>
                <DueDate record={record} inline />
              </span>
              <VerificationMark record={record} scope="admin" text="label" />
            </div>
            <AssessmentDifference record={record} scope="admin" />
            <div className={rows['cardFoot']}>
              <strong>
                <RecordAmount record={record} />
              </strong>
              <div className={classes['buttons']}>
                <MarkPaidButton record={record} />
                <RowMenu record={record} onDelete={onDelete} onUnmark={onUnmark} />
              </div>
            </div>
          </Paper>
        ))}
      </ul>
    </>
  );
}
