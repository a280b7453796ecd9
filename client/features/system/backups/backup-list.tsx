import { Badge, Box, Button, Code, Group, Text, Title } from '@mantine/core';
import { IconArchive, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { showDateTime } from '#client/lib/format.ts';
import type { BackupFile } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatTimeAgo, isInFuture } from '../format-relative-time.ts';
import { DownloadDialog } from './download-dialog.tsx';

const INITIAL_ROWS = 10;
const kindLabels = { periodic: 'Otomatis', manual: 'Manual' } as const;

type RowProps = { backup: BackupFile; nowMs: number; onDownload: (backup: BackupFile) => void };

function BackupRow({ backup, nowMs, onDownload }: RowProps) {
  const when = showDateTime(backup.created_at);
  return (
    <li className={classes['backup']}>
      <Box flex="1 1 8rem" miw={0}>
        <Text fw={500}>{when}</Text>
        <Group gap="0.25rem 0.75rem" mt={4} fz="sm" c="dimmed">
          <Badge variant="light" color={backup.kind === 'manual' ? 'laut' : 'gray'} size="lg" fw={600}>
            {kindLabels[backup.kind]}
          </Badge>
          <span>{formatBytes(backup.size_bytes)}</span>
          <span>
            {isInFuture(backup.created_at, nowMs)
              ? 'Dari jam yang salah (masa depan)'
              : formatTimeAgo(backup.created_at, nowMs)}
          </span>
        </Group>
      </Box>
      <Button
        variant="default"
        aria-label={`Unduh cadangan ${when} (Download)`}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => onDownload(backup)}
      >
        Unduh
      </Button>
    </li>
  );
}

function RestoreHint({ newest }: { newest: BackupFile }) {
  return (
    <details className={classes['hint']}>
      <summary>Memulihkan data</summary>
      <Text fz="sm">
        Hentikan server, lalu jalankan perintah ini di komputer server. Cadangannya diperiksa dulu, dan data yang
        sekarang disimpan. Berkas unduhan dapat dipakai dengan cara yang sama di PC lain.
      </Text>
      <Code block mt="xs" className={classes['command'] ?? ''}>
        pbb-kita restore {newest.name}
      </Code>
    </details>
  );
}

type Props = {
  backups: readonly BackupFile[];
  /** The newest backup that is not dated in the future by a wrong clock. */
  last: BackupFile | null;
  nowMs: number;
};

/** The backups, newest first, and how to restore one. */
export function BackupList({ backups, last, nowMs }: Props) {
  const [showAll, setShowAll] = useState(false);
  const [backupToDownload, setBackupToDownload] = useState<BackupFile | null>(null);
  const [newest] = backups;
  if (!newest) {
    return (
      <EmptyState
        icon={IconArchive}
        title="Belum ada cadangan"
        description="Tekan Cadangkan sekarang untuk membuat yang pertama."
      />
    );
  }
  return (
    <div>
      <Title order={3} mb={4}>
        Daftar cadangan
      </Title>
      <ul className={classes['rows']} aria-label="Daftar cadangan">
        {(showAll ? backups : backups.slice(0, INITIAL_ROWS)).map((backup) => (
          <BackupRow key={backup.name} backup={backup} nowMs={nowMs} onDownload={setBackupToDownload} />
        ))}
      </ul>
      {backups.length > INITIAL_ROWS ? (
        <Button variant="light" mt="md" aria-expanded={showAll} onClick={() => setShowAll(!showAll)}>
          {showAll ? 'Tampilkan lebih sedikit' : `Tampilkan semua (${backups.length})`}
        </Button>
      ) : null}
      <RestoreHint newest={last ?? newest} />
      <DownloadDialog backup={backupToDownload} onClose={() => setBackupToDownload(null)} />
    </div>
  );
}
