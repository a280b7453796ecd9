import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { StatusBadge } from '../../display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { DueDate } from '../../display/due-date.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { recordSubtitle, recordTitle } from '../../display/record-title.ts';
import { OwnRecordMenu } from './record-menu.tsx';
import { ViewButton } from './view-button.tsx';
import classes from './record-list.module.css';

type Props = { records: readonly TaxRecord[]; onDelete: (record: TaxRecord) => void };

/** Whether a card shows when the record was paid, in place of when it is due. */
const isPaid = ({ status, payment_date: date }: TaxRecord) => status === 'lunas' && date !== null;

/** Records on small screens. */
export function OwnRecordCards({ records, onDelete }: Props) {
  return (
    <ul className={classes['cards']}>
      {records.map((record) => (
        <Paper key={record.id} component="li" withBorder p="md" className={classes['card']} data-row>
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <Anchor component={Link} to={paths.record(record.id)} fw={600} c="inherit" className={classes['title']}>
              {recordTitle(record)}
            </Anchor>
            <StatusBadge status={record.status} />
          </Group>
          <Text c="dimmed" fz="sm" lineClamp={2}>
            {recordSubtitle(record)}
          </Text>
          <div className={classes['sum']}>
            <Text fz="xl" fw={700}>
              <Money amount={record.amount} />
            </Text>
            <VerificationMark verification={record.verification} text="label" />
          </div>
          <dl className={classes['facts']}>
            <div>
              <dt>Nomor SPT</dt>
              <dd>{record.spt_number}</dd>
            </div>
            <div>
              <dt>Tahun</dt>
              <dd>{record.year}</dd>
            </div>
            <div>
              <dt>{isPaid(record) ? 'Dibayar' : 'Jatuh tempo'}</dt>
              <dd>{isPaid(record) ? showDateShort(record.payment_date) : <DueDate record={record} inline />}</dd>
            </div>
          </dl>
          <Group gap="xs" wrap="nowrap" mt="auto">
            <ViewButton record={record} />
            <OwnRecordMenu record={record} onDelete={onDelete} />
          </Group>
        </Paper>
      ))}
    </ul>
  );
}
