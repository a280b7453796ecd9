import { Box, Button, Center, Group, Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconAlarmSnooze, IconChecks, IconHandGrab, IconSearchOff, IconUsers } from '@tabler/icons-react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import type { ListFilter } from '../../state/model/list-order.ts';
import type { LoadState } from '../../state/model/conversation.ts';

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
      <Box component="output" display="block" px="md" aria-label="Memuat daftar percakapan">
        {SKELETON_ROWS.map((row) => (
          <Group key={row} component="span" gap="0.75rem" wrap="nowrap" h="4.5rem">
            <Skeleton circle height={44} />
            <Box component="span" flex={1}>
              <Skeleton height={14} width="55%" mb={10} />
              <Skeleton height={12} width="85%" />
            </Box>
          </Group>
        ))}
      </Box>
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
    <Center p="md">
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
