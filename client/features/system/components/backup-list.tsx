import { Badge, Button, Code, Text, Title } from '@mantine/core';
import { IconArchive, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { showDateTime } from '#client/lib/format.ts';
import type { BackupFile } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { sizeWords } from '../size-words.ts';
import { agoWords, isAhead } from '../time-words.ts';
import { DownloadDialog } from './download-dialog.tsx';

const SHOWN_AT_FIRST = 10;
const kindWords = { periodic: 'Otomatis', manual: 'Manual' } as const;

type RowProps = { backup: BackupFile; nowMs: number; onDownload: (backup: BackupFile) => void };

function BackupRow({ backup, nowMs, onDownload }: RowProps) {
  const when = showDateTime(backup.created_at);
  return (
    <li className={classes['backup']}>
      <div className={classes['about']}>
        <Text fw={500}>{when}</Text>
        <div className={classes['details']}>
          <Badge variant="light" color={backup.kind === 'manual' ? 'laut' : 'gray'} size="lg" fw={600}>
            {kindWords[backup.kind]}
          </Badge>
          <span>{sizeWords(backup.size_bytes)}</span>
          <span>
            {isAhead(backup.created_at, nowMs)
              ? 'Dari jam yang salah (masa depan)'
              : agoWords(backup.created_at, nowMs)}
          </span>
        </div>
      </div>
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
    <div className={classes['hint']}>
      <Text fw={500}>Memulihkan data</Text>
      <Text fz="sm">
        Hentikan server, lalu jalankan perintah ini di komputer server. Cadangannya diperiksa dulu, dan data yang
        sekarang disimpan. Berkas unduhan dapat dipakai dengan cara yang sama di PC lain.
      </Text>
      <Code block mt="xs" className={classes['command'] ?? ''}>
        pbb-kita restore {newest.name}
      </Code>
    </div>
  );
}

type Props = {
  backups: readonly BackupFile[];
  /** The newest that does not come from a wrong clock. */
  last: BackupFile | null;
  nowMs: number;
};

/** What there is to go back to, newest first. */
export function BackupList({ backups, last, nowMs }: Props) {
  const [all, setAll] = useState(false);
  const [wanted, setWanted] = useState<BackupFile | null>(null);
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
        {(all ? backups : backups.slice(0, SHOWN_AT_FIRST)).map((backup) => (
          <BackupRow key={backup.name} backup={backup} nowMs={nowMs} onDownload={setWanted} />
        ))}
      </ul>
      {backups.length > SHOWN_AT_FIRST ? (
        <Button variant="light" mt="md" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Tampilkan lebih sedikit' : `Tampilkan semua (${backups.length})`}
        </Button>
      ) : null}
      <RestoreHint newest={last ?? newest} />
      <DownloadDialog backup={wanted} onClose={() => setWanted(null)} />
    </div>
  );
}
