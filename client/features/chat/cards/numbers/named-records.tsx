import { Button, Group } from '@mantine/core';
import { IconFileInvoice, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { RecordChange } from '#shared/events.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { LiveRecordCard } from '../record-card.tsx';
import { type CardRecord, useCardScope } from '../records/card-record.ts';
import { conversationRecordsQuery } from '../records/conversation-records.ts';
import classes from './named-records.module.css';
import { findNamedRecords } from './spt-numbers.ts';

/** A message with more numbers is a list; it gets no offers beyond these. */
const OFFERS_MAX = 3;

type Props = { text: string; userId: string; shownRecordId: string | null };

/** The records are loaded once for a conversation, and never for each message. */
export function NamedRecords({ text, userId, shownRecordId }: Props) {
  const queryClient = useQueryClient();
  const scope = useCardScope();
  const { data } = useQuery(conversationRecordsQuery(scope, userId));
  const onChange = useCallback(
    ({ user_id, change }: RecordChange) => {
      if (user_id === userId && change !== 'updated') {
        void queryClient.invalidateQueries({ queryKey: conversationRecordsQuery(scope, userId).queryKey });
      }
    },
    [queryClient, scope, userId],
  );
  useServerEvent('tax-record:changed', onChange);
  const found = useMemo(() => findNamedRecords(text, data ?? []), [text, data])
    .filter((group) => !group.some(({ id }) => id === shownRecordId))
    .slice(0, OFFERS_MAX);
  return found.map((group) => <Offer key={group[0]?.spt_number} records={group} userId={userId} />);
}

/** One number: a button, then the card of its year, with the other years beside it. */
function Offer({ records, userId }: { records: readonly CardRecord[]; userId: string }) {
  const [shownId, setShownId] = useState<string | null>(null);
  const [first] = records;
  if (!first) return null;
  const shown = records.find(({ id }) => id === shownId);
  if (!shown) {
    return (
      <div className={`${classes['offer']} no-print`}>
        <Button
          variant="subtle"
          className={classes['button'] ?? ''}
          leftSection={<IconFileInvoice size={18} aria-hidden />}
          onClick={() => setShownId(first.id)}
        >
          Lihat data PBB {first.year} · SPT {formatSptNumber(first.spt_number)}
        </Button>
      </div>
    );
  }
  return (
    <div className={`${classes['offer']} no-print`}>
      <LiveRecordCard key={shown.id} id={shown.id} now={shown} before={null} userId={userId} />
      <Group gap={4}>
        {records.length > 1
          ? records.map(({ id: other, year }) => (
              <Button
                key={other}
                variant={other === shownId ? 'light' : 'subtle'}
                px="xs"
                aria-label={`Tahun ${year}`}
                aria-pressed={other === shownId}
                onClick={() => setShownId(other)}
              >
                {year}
              </Button>
            ))
          : null}
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<IconX size={16} aria-hidden />}
          aria-label={`Tutup data PBB ${shown.year}`}
          onClick={() => setShownId(null)}
        >
          Tutup
        </Button>
      </Group>
    </div>
  );
}
