import { Button, Center, Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconChecks, IconSearchOff, IconUsers } from '@tabler/icons-react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import type { ListFilter } from '../../session/list-order.ts';
import type { LoadState } from '../../session/conversation.ts';
import classes from './list.module.css';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7];

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
  if (filter.only === 'unread') {
    return <EmptyState icon={IconChecks} title="Semua sudah dibaca" description="Tidak ada pesan yang belum dibaca." />;
  }
  if (filter.only === 'waiting') {
    return (
      <EmptyState icon={IconChecks} title="Semua sudah dibalas" description="Tidak ada warga yang menunggu balasan." />
    );
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
