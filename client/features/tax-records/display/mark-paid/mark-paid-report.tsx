import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import type { MarkableRecord, MarkPaidResult } from './mark-paid.ts';

type Props = { result: MarkPaidResult; alreadyCount: number; onClose: () => void };

function RecordLine({ record, reason }: { record: MarkableRecord; reason: string }) {
  return (
    <List.Item>
      <Anchor component={Link} to={paths.adminRecord(record.id)} fw={600}>
        {record.name} · {formatSptNumber(record.spt_number)} · {record.year}
      </Anchor>
      <Text fz="sm" c="dimmed">
        {reason}
      </Text>
    </List.Item>
  );
}

/** The outcome: the number of paid records, and a reason for each of the others. */
export function MarkPaidReport({ result: { done, failed, notAttempted }, alreadyCount, onClose }: Props) {
  const closeButton = useRef<HTMLButtonElement>(null);
  // The pressed button no longer exists, so the focus would be lost.
  useEffect(() => closeButton.current?.focus(), []);
  const notDone = [...failed, ...notAttempted.map((record) => ({ record, reason: 'Belum diproses' }))];
  return (
    <Stack gap="md">
      <FormAlert
        kind={notDone.length > 0 ? 'warning' : 'info'}
        message={`${formatNumber(done.length)} data ditandai lunas.`}
        hint={
          [
            alreadyCount > 0 ? `${formatNumber(alreadyCount)} berstatus Lunas sebelumnya.` : '',
            notDone.length > 0 ? `${formatNumber(notDone.length)} tidak diubah dan tetap dipilih.` : '',
          ]
            .filter(Boolean)
            .join(' ') || undefined
        }
      />
      {notDone.length > 0 ? (
        <List spacing="xs" mah={320} style={{ overflow: 'auto' }} listStyleType="none">
          {notDone.map(({ record, reason }) => (
            <RecordLine key={record.id} record={record} reason={reason} />
          ))}
        </List>
      ) : null}
      <Group justify="flex-end">
        <Button ref={closeButton} onClick={onClose}>
          Selesai
        </Button>
      </Group>
    </Stack>
  );
}
