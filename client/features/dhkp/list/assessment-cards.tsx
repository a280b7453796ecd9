import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import list from '#client/ui/list/list.module.css';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import rows from '#client/ui/list/rows/rows.module.css';
import { useOpenRow } from '#client/ui/list/rows/use-open-row.ts';
import { collectorText, handedOutText, objectLabel } from '../display/assessment-texts.ts';
import { AccountCell, type RowsProps, StatusText } from './assessment-table.tsx';

/** Objects on small screens. */
export function AssessmentCards({ assessments, selection, onMakeAccount }: RowsProps) {
  const openRow = useOpenRow();
  return (
    <>
      <PageCheckbox selection={selection} isLabelled />
      <ul className={list['cards']}>
        {assessments.map((assessment) => (
          <Paper
            key={assessment.id}
            component="li"
            withBorder
            radius="md"
            p="sm"
            className={rows['card']}
            data-row
            data-selected={selection.has(assessment.id) || undefined}
            onClick={(event) => openRow(paths.adminDhkpObject(assessment.id), event)}
          >
            <div className={rows['cardHead']}>
              <RowCheckbox row={assessment} label={objectLabel(assessment)} selection={selection} />
              <Anchor component={Link} to={paths.adminDhkpObject(assessment.id)} fw={600} c="inherit">
                {assessment.name ?? 'Tanpa nama'}
              </Anchor>
              <StatusText assessment={assessment} />
            </div>
            <Text fz="sm" className="tabular">
              {assessment.nop_text}
            </Text>
            <div className={rows['second']}>
              {[assessment.object_address, assessment.area?.path].filter(Boolean).join(' · ') || '-'}
            </div>
            <div className={`${rows['second']} ${rows['facts']}`}>
              <span>Kolektor {collectorText(assessment)}</span>
              <span>
                {assessment.handed_out_on === null
                  ? 'SPPT belum diserahkan'
                  : `SPPT diserahkan ${handedOutText(assessment)}`}
              </span>
            </div>
            <Text fz="sm">
              {assessment.account === null ? null : 'Akun '}
              <AccountCell assessment={assessment} onMakeAccount={onMakeAccount} />
            </Text>
            <div className={rows['cardFoot']}>
              <strong>
                <Money amount={assessment.amount} />
              </strong>
              {assessment.due_date === null ? null : (
                <span className={rows['second']}>Jatuh tempo {showDateShort(assessment.due_date)}</span>
              )}
            </div>
          </Paper>
        ))}
      </ul>
    </>
  );
}
