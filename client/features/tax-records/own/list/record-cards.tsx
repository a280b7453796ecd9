import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { StatusBadge } from '../../display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { DueDate } from '../../display/due-date.tsx';
import { RecordButtons } from '../../pages/record-buttons.tsx';
import classes from './record-list.module.css';

type Props = { records: readonly TaxRecord[]; onDelete: (record: TaxRecord) => void };

/** Records on small screens. */
export function OwnRecordCards({ records, onDelete }: Props) {
  return (
    <ul className={classes['cards']}>
      {records.map((record) => (
        <Paper key={record.id} component="li" withBorder p="md" className={classes['card']} data-row>
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <Anchor component={Link} to={paths.record(record.id)} fw={600} c="inherit" className={classes['title']}>
              {record.name}
            </Anchor>
            <StatusBadge status={record.status} />
          </Group>
          <Text c="dimmed" fz="sm" lineClamp={2}>
            {record.address}
          </Text>
          <Text fz="xl" fw={700} mt="xs">
            <Money amount={record.amount} />
          </Text>
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
              <dt>Jatuh tempo</dt>
              <dd>
                <DueDate record={record} inline />
              </dd>
            </div>
          </dl>
          <RecordButtons scope="own" record={record} onDelete={onDelete} />
        </Paper>
      ))}
    </ul>
  );
}
