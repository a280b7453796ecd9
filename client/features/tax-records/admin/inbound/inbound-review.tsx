import { Button, Paper } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { Loading } from '#client/ui/list/query-view.tsx';
import { proofUrl } from '../../display/proof-url.ts';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { focusRecordHeading, ReviewedRecord } from './reviewed-record.tsx';
import { WaitingList } from './waiting-list.tsx';
import { useInboundKeys } from './use-inbound-keys.ts';
import { useInboundQueue } from './use-inbound-queue.ts';
import { useRecordCheck } from './use-record-check.ts';

const { loadFailed } = scopeTexts.admin;

/** One report after the other: looked at, decided, undone (R-CHECK-21, R-CHECK-22). */
export function InboundReview() {
  const queue = useInboundQueue();
  const { record, nextId, previousId, goTo } = queue;
  /** The record that gets the focus as soon as it is shown; null: the end of the queue, undefined: none. */
  const focusNext = useRef<string | null>(undefined);
  const check = useRecordCheck(queue, (id) => {
    focusNext.current = id;
  });

  // The pressed button belongs to the record that was left. With the focus on its heading, the next one is read aloud.
  useEffect(() => {
    const wanted = focusNext.current;
    if (wanted === undefined || wanted !== (record?.id ?? (queue.isEmpty ? null : undefined))) return;
    focusNext.current = undefined;
    focusRecordHeading();
    window.scrollTo({ top: 0 });
  });

  // In the cache before its record is shown.
  const photos = queue.upcoming.flatMap(({ payment_proof }) => proofUrl(payment_proof) ?? []).join(' ');
  useEffect(() => {
    for (const url of photos.split(' ').filter(Boolean)) new Image().src = url;
  }, [photos]);

  function move(id: string | null, noneText: string): void {
    if (check.busy) return;
    if (id === null) {
      notify.info(noneText);
      return;
    }
    focusNext.current = id;
    goTo(id);
  }
  const skip = () => move(nextId, 'Tidak ada bukti lain yang menunggu');
  const back = () => move(previousId, 'Ini bukti yang pertama');

  const isChecked = record?.verification.state === 'matched' || record?.verification.state === 'rejected';
  useInboundKeys({
    ArrowRight: skip,
    ArrowLeft: back,
    z: () => check.undo(isChecked ? record : undefined),
  });

  if (queue.isLoading) return <Loading text="Memuat bukti…" rows={1} height={420} />;
  if (queue.error) {
    return (
      <Paper withBorder>
        <ErrorState
          title={messageOf(queue.error, loadFailed)}
          description={hintOf(queue.error)}
          onRetry={() => void queue.refetch()}
          retrying={queue.isFetching}
        />
      </Paper>
    );
  }
  if (queue.isEmpty) {
    return (
      <Paper withBorder>
        <EmptyState
          icon={IconCircleCheck}
          title="Semua bukti sudah dicocokkan"
          description="Pembayaran yang dilaporkan warga akan tampil di sini."
        />
      </Paper>
    );
  }
  if (queue.isMissing) {
    return (
      <Paper withBorder>
        <EmptyState
          title="Data ini sudah dihapus"
          description="Tidak ada lagi yang perlu dicocokkan untuk data ini."
          action={<Button onClick={() => (nextId === null ? goTo(null) : skip())}>Lanjut</Button>}
        />
      </Paper>
    );
  }
  if (queue.recordError) {
    return (
      <Paper withBorder>
        <ErrorState
          title={messageOf(queue.recordError, loadFailed)}
          description={hintOf(queue.recordError)}
          onRetry={queue.retryRecord}
        />
      </Paper>
    );
  }
  if (!record) return <Loading text="Memuat bukti…" rows={1} height={420} />;
  return (
    <>
      {queue.total > 1 ? (
        <WaitingList
          records={queue.waiting}
          currentId={record.id}
          total={queue.total}
          onChoose={(id) => move(id, '')}
        />
      ) : null}
      <ReviewedRecord
        key={record.id}
        record={record}
        check={check}
        place={queue.position > 0 ? { position: queue.position, total: queue.total } : null}
        isOwnCheck={queue.isOwnCheck(record.id)}
        onReload={() => void queue.refetch()}
        onSkip={skip}
        onBack={back}
        hasPrevious={previousId !== null}
        onFinish={() => (nextId === null ? goTo(null) : skip())}
      />
    </>
  );
}
