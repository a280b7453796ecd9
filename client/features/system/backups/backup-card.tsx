import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { showDateTime } from '#client/lib/format.ts';
import { settingsSections } from '#client/paths.ts';
import { useHashTarget } from '#client/ui/page/use-hash-target.ts';
import { systemTexts, type BackupsData, type BackupStatus } from '#shared/api/system.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatTimeAgo } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';
import { findBackupIssue } from './backup-health.ts';
import classes from '../settings.module.css';
import { useServerTimeMs } from '../use-server-time.ts';
import { BackupInfo } from './backup-info.tsx';
import { BackupList } from './backup-list.tsx';
import { RunningCopyState } from './running-copy-state.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { backupsQuery, startBackup, systemKeys } from '../api.ts';

function BackupProgress({ percent }: { percent: number }) {
  return (
    <div>
      <Text fw={500} mb={6} className="tabular">
        Mencadangkan… {percent}%
      </Text>
      <Progress value={percent} size="lg" radius="xl" aria-label="Kemajuan pencadangan" />
      <Text fz="sm" c="dimmed" mt={6}>
        Server tetap dapat dipakai. Halaman ini boleh ditutup.
      </Text>
    </div>
  );
}

type ContentsProps = { data: BackupsData; answeredAtMs: number; nowMs: number };

/** The operator makes the backups: there is nothing to start and nothing to download. */
function OutsideBackups({ status, nowMs }: { status: BackupStatus; nowMs: number }) {
  const issue = findBackupIssue(status);
  const { last } = status;
  return (
    <>
      <Text>{systemTexts.backupsOutside}</Text>
      {issue ? (
        <FormAlert kind={status.failure ? 'error' : 'warning'} message={issue.message} hint={issue.hint} />
      ) : null}
      {last ? (
        <dl className={classes['lines']}>
          <InfoRow label="Cadangan terakhir" note={showDateTime(last.created_at)}>
            <RelativeTime iso={last.created_at} text={formatTimeAgo(last.created_at, nowMs)} />
          </InfoRow>
          <InfoRow label="Ukuran">{formatBytes(last.size_bytes)}</InfoRow>
        </dl>
      ) : null}
    </>
  );
}

function BackupCardContents({ data: { status, backups }, answeredAtMs, nowMs }: ContentsProps) {
  if (status.engine === 'postgres') return <OutsideBackups status={status} nowMs={nowMs} />;
  return (
    <>
      {status.running ? <BackupProgress percent={status.running.percent} /> : null}
      {status.failure ? (
        <FormAlert
          message={`Pencadangan gagal pada ${showDateTime(status.failure.at)}`}
          hint={status.failure.message}
        />
      ) : null}
      {status.second_folder?.failure ? (
        <FormAlert
          kind="warning"
          message="Cadangan tidak tersalin ke folder kedua"
          hint={status.second_folder.failure}
        />
      ) : null}
      <RunningCopyState status={status} answeredAtMs={answeredAtMs} />
      <BackupInfo status={status} nowMs={nowMs} />
      <BackupList backups={backups} last={status.last} nowMs={nowMs} />
    </>
  );
}

/** The state and list of the backups, with buttons to start and to download one. */
export function BackupCard() {
  const { query, start, busy } = useBackups();
  const { data, dataUpdatedAt, error } = query;
  const heading = useHashTarget(settingsSections.backups);
  const nowMs = useServerTimeMs(data?.status.now, dataUpdatedAt);
  return (
    <Card component="section" aria-labelledby={settingsSections.backups}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm" className={classes['cardHead'] ?? ''}>
          <Title order={2} id={settingsSections.backups} ref={heading} tabIndex={-1}>
            Cadangan
          </Title>
          {data && data.engine !== 'postgres' ? (
            <ActionButton
              icon={IconDatabaseExport}
              disabledReason={null}
              busy={busy || data.status.running !== null}
              onPress={start}
            >
              Cadangkan sekarang
            </ActionButton>
          ) : null}
        </Group>
        <QueryView
          query={query}
          failedText="Gagal memuat cadangan"
          loading={{ text: 'Memuat cadangan…', rows: 3, height: 48 }}
        >
          {(loaded) => (
            <>
              {error ? (
                <FormAlert
                  kind="warning"
                  message="Keadaan terbaru gagal dimuat"
                  hint="Yang tampil di sini mungkin sudah berubah. Halaman ini mencoba lagi sendiri."
                />
              ) : null}
              <BackupCardContents data={loaded} answeredAtMs={dataUpdatedAt} nowMs={nowMs} />
            </>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}

const POLL_INTERVAL_MS = 60_000;
const POLL_WHILE_RUNNING_MS = 1500;
/** The running copy looks this often. */
const POLL_COPY_MS = 10_000;

function pollInterval(status: BackupStatus | undefined): number {
  if (status?.running) return POLL_WHILE_RUNNING_MS;
  return status?.running_copy ? POLL_COPY_MS : POLL_INTERVAL_MS;
}

/** Loads the backups, more often while one runs, and starts one. Shows a toast when a running backup ends. */
function useBackups() {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...backupsQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => pollInterval(state.data?.status),
  });
  const isResultPending = useRef(false);
  const status = query.data?.status;

  useEffect(() => {
    if (status?.running) isResultPending.current = true;
    if (!status || status.running || !isResultPending.current) return;
    isResultPending.current = false;
    if (status.failure) notify.error('Pencadangan gagal', status.failure.message);
    else notify.success('Cadangan selesai dibuat');
    void queryClient.invalidateQueries({ queryKey: systemKeys.info });
  }, [status, queryClient]);

  const { submit, busy } = useSubmit(async () => {
    try {
      const data = await startBackup();
      // A small backup may end before a poll sees it running.
      isResultPending.current = true;
      await queryClient.cancelQueries({ queryKey: systemKeys.backups });
      queryClient.setQueryData(systemKeys.backups, data);
    } catch (error) {
      notify.failure(error, 'Gagal memulai pencadangan');
      await queryClient.invalidateQueries({ queryKey: systemKeys.backups });
    }
  });

  return { query, start: () => void submit(), busy };
}
