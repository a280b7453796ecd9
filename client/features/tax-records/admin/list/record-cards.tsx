import { Anchor, Checkbox, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { StatusBadge } from '../../display/status-badge.tsx';
import classes from './record-list.module.css';
import type { RowsProps } from './record-table.tsx';
import { recordLabel } from '../../display/record-labels.ts';
import { RecordButtons } from '../../pages/record-buttons.tsx';

/** Records on small screens. */
export function AdminRecordCards({ records, selection, onDelete }: RowsProps) {
  return (
    <>
      <Checkbox
        className={classes['all'] ?? ''}
        label="Pilih semua di halaman ini"
        checked={selection.allOnPage}
        indeterminate={selection.someOnPage && !selection.allOnPage}
        onChange={selection.togglePage}
      />
      <ul className={classes['cards']}>
        {records.map((record) => (
          <Paper
            key={record.id}
            component="li"
            withBorder
            p="md"
            className={classes['card']}
            data-row
            data-selected={selection.has(record.id) || undefined}
          >
            <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
              <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
                <Checkbox
                  className={classes['pick'] ?? ''}
                  aria-label={`Pilih ${recordLabel(record)}`}
                  checked={selection.has(record.id)}
                  onChange={() => selection.toggle(record)}
                />
                <Anchor component={Link} to={paths.adminRecord(record.id)} fw={600} c="inherit" style={{ minWidth: 0 }}>
                  {record.name}
                </Anchor>
              </Group>
              <StatusBadge status={record.status} />
            </Group>
            <Text c="dimmed" fz="sm" lineClamp={2} mt={4}>
              {record.address}
            </Text>
            <Text fz="xl" fw={700} mt={4}>
              <Money amount={record.amount} />
            </Text>
            <Text fz="sm" mb="sm" className={classes['facts'] ?? ''}>
              {record.tax_type} {record.year} · {record.spt_number}
              <br />
              Pemilik: {record.user.name}
            </Text>
            <RecordButtons scope="admin" record={record} onDelete={onDelete} />
          </Paper>
        ))}
      </ul>
    </>
  );
}
