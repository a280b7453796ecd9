import { Button, Center, Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconAlarmSnooze, IconChecks, IconHandGrab, IconSearchOff, IconUsers } from '@tabler/icons-react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import type { ListFilter } from '../../state/model/list-order.ts';
import type { LoadState } from '../../state/model/conversation.ts';
import classes from './list.module.css';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7];

/** An empty filter is mostly good news. */
const emptyTexts: Record<
  Exclude<ListFilter['only'], 'all'>,
  { icon: typeof IconChecks; title: string; description: string }
> = {
  waiting: {
    icon: IconChecks,
    title: 'Tidak ada yang menunggu. Bagus!',
    description: 'Warga yang menulis dan belum dibalas tampil di sini, yang paling lama menunggu di atas.',
  },
  unread: { icon: IconChecks, title: 'Semua sudah dibaca', description: 'Tidak ada pesan yang belum dibaca.' },
  snoozed: {
    icon: IconAlarmSnooze,
    title: 'Tidak ada yang ditunda',
    description: 'Percakapan yang Anda tunda tampil di sini sampai waktunya tiba atau warganya menulis lagi.',
  },
  mine: {
    icon: IconHandGrab,
    title: 'Anda tidak sedang menangani percakapan',
    description: 'Pilih “Ambil” pada percakapan agar rekan lain tahu bahwa Anda yang menanganinya.',
  },
};

type Props = { loadState: LoadState; loaded: boolean; error: unknown; filter: ListFilter; onRetry: () => void };

/** Stands in place of an empty list and says why it is empty. */
export function ListPlaceholder({ loadState, loaded, error, filter, onRetry }: Props) {
  if (loadState === 'failed') {
    return (
      <ErrorState
        title={messageOf(error, 'Gagal memuat daftar percakapan')}
        description={hintOf(error)}
        onRetry={onRetry}
      />
    );
  }
  if (!loaded) {
    return (
      <output className={classes['skeletons']} aria-label="Memuat daftar percakapan">
        {SKELETON_ROWS.map((row) => (
          <span key={row} className={classes['skeleton']}>
            <Skeleton circle height={44} />
            <span>
              <Skeleton height={14} width="55%" mb={10} />
              <Skeleton height={12} width="85%" />
            </span>
          </span>
        ))}
      </output>
    );
  }
  if (filter.search.trim() !== '') {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="Tidak ada yang cocok"
        description={`Tidak ada nama atau email yang memuat “${filter.search.trim()}”.`}
      />
    );
  }
  if (filter.only !== 'all') {
    const { icon, title, description } = emptyTexts[filter.only];
    return <EmptyState icon={icon} title={title} description={description} />;
  }
  return (
    <EmptyState
      icon={IconUsers}
      title="Belum ada pengguna"
      description="Warga yang mendaftar tampil di sini dan dapat langsung dikirimi pesan."
    />
  );
}

/** Below the last row: more rows are loading, or could not be loaded. */
export function ListEnd({
  load: loadState,
  hasMore,
  onRetry,
}: {
  load: LoadState;
  hasMore: boolean;
  onRetry: () => void;
}) {
  if (!hasMore && loadState !== 'failed') return null;
  return (
    <Center className={classes['tail'] ?? ''}>
      {loadState === 'failed' ? (
        <Button variant="light" onClick={onRetry}>
          Gagal memuat. Coba lagi
        </Button>
      ) : (
        <output>
          <Loader size="sm" aria-hidden />
          <VisuallyHidden>Memuat percakapan lain</VisuallyHidden>
        </output>
      )}
    </Center>
  );
}
