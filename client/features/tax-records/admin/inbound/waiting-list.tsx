import { Button, Paper, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber, showDateShort } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { RecordAmount } from '../../display/record-amount.tsx';
import { recordHeading } from '../../display/record-labels.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import classes from './inbound.module.css';

type Props = {
  records: readonly TaxRecord[];
  currentId: string | undefined;
  /** The number of all waiting reports; the list has the first ones of a long queue. */
  total: number;
  onChoose: (id: string) => void;
};

/** The waiting reports, folded: the user, the object, the day, and whether there is a photo. A press shows the report. */
export function WaitingList({ records, currentId, total, onChoose }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <div className={classes['waiting']}>
      <Button
        variant="default"
        px="sm"
        rightSection={<IconChevronDown size={16} aria-hidden />}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        Daftar yang menunggu
      </Button>
      {opened ? (
        <Paper withBorder className={classes['waitingRows']}>
          <ul aria-label="Yang menunggu">
            {records.map((record) => (
              <li key={record.id}>
                <UnstyledButton
                  className={classes['waitingRow'] ?? ''}
                  aria-current={record.id === currentId || undefined}
                  onClick={() => {
                    setOpened(false);
                    onChoose(record.id);
                  }}
                >
                  <span>
                    <strong>{recordHeading(record)}</strong>
                    <Text component="span" display="block" fz="sm" c="dimmed">
                      {record.user.name}
                      {record.verification.at ? ` · ${showDateShort(record.verification.at)}` : ''}
                      {record.payment_proof === null ? ' · tanpa foto' : ' · dengan foto'}
                    </Text>
                  </span>
                  <StatusBadge status={record.status} />
                  <Text component="span" ta="end">
                    <RecordAmount record={record} />
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          {records.length < total ? (
            <Text fz="sm" c="dimmed" p="sm">
              {formatNumber(records.length)} laporan terlama dari {formatNumber(total)}.
            </Text>
          ) : null}
        </Paper>
      ) : null}
    </div>
  );
}
