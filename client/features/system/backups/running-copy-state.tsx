import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { BackupStatus, RunningCopy } from '#shared/api/system.ts';
import { formatCopyAge } from '#shared/domain/format-duration.ts';
import { startRunningCopy, systemKeys } from '../api.ts';
import { RelativeTime } from '../info-row.tsx';
import classes from '../settings.module.css';
import { useServerTimeMs } from '../use-server-time.ts';
import { describeStoppedCopy, type StoppedCopy } from './copy-health.ts';

/** The age is shown in seconds. */
const TICK_MS = 1000;
/** Screen readers hear when the state changes, and not each second that passes. */
const STATUS_ROLE = { role: 'status' } as const;
/** The status around it is read already. */
const INSIDE_STATUS = { role: 'group' } as const;

type Props = { status: BackupStatus; answeredAtMs: number };

/** The running copy in the second folder: how old it is, how much of it is made, or why it is stopped (R-SYS-36). */
export function RunningCopyState({ status, answeredAtMs }: Props) {
  const { running_copy: copy, second_folder: folder } = status;
  // An older server does not tell.
  if (copy === undefined || (copy === null && folder === null)) return null;
  const stopped = copy && describeStoppedCopy(copy);
  return (
    <div {...STATUS_ROLE}>
      {stopped ? (
        <StoppedAlert stopped={stopped} canStartNew={copy.reason === 'emptied'} />
      ) : (
        <span className={toneOf(copy)}>
          <span className="tabular">
            {copy ? (
              <CopyProgress copy={copy} now={status.now} answeredAtMs={answeredAtMs} />
            ) : (
              'Salinan berjalan: mati'
            )}
          </span>
        </span>
      )}
    </div>
  );
}

/** While a copy is made it is neither well nor missing. */
function toneOf(copy: RunningCopy | null): string | undefined {
  if (copy?.state === 'starting') return undefined;
  return classes[copy ? 'good' : 'warn'];
}

function CopyProgress({
  copy: { at, state, percent },
  now,
  answeredAtMs,
}: {
  copy: RunningCopy;
  now: string;
  answeredAtMs: number;
}) {
  const nowMs = useServerTimeMs(now, answeredAtMs, TICK_MS);
  if (state === 'starting' || at === null) {
    return (
      <>
        Salinan berjalan sedang dibuat <span aria-live="off">({percent ?? 0} %)</span>
      </>
    );
  }
  return (
    <>
      Salinan berjalan:{' '}
      <span aria-live="off">
        <RelativeTime iso={at} text={formatCopyAge(nowMs - Date.parse(at))} />
      </span>
    </>
  );
}

function StoppedAlert({ stopped: { title, text }, canStartNew }: { stopped: StoppedCopy; canStartNew: boolean }) {
  const { start, busy } = useStartRunningCopy();
  return (
    <Alert color="yellow" variant="light" {...INSIDE_STATUS} icon={<IconAlertTriangle size={20} aria-hidden />}>
      <Text fw={500} className={classes['break'] ?? ''}>
        {title}
      </Text>
      <Text fz="sm" className={classes['break'] ?? ''}>
        {text}
      </Text>
      {canStartNew ? (
        <Button variant="default" mt="sm" className="no-print" loading={busy} onClick={start}>
          Mulai salinan baru di sini
        </Button>
      ) : null}
    </Alert>
  );
}

const QUESTION = {
  title: 'Mulai salinan baru di sini',
  message:
    'Folder salinan sekarang kosong. Bila disk yang biasa hanya belum terpasang, batalkan dan pasang dulu disk itu. Bila disk ini memang penggantinya, semua data disalin ke sini; server tetap dapat dipakai. Tidak ada yang dihapus.',
  confirmLabel: 'Mulai salinan baru',
};

function useStartRunningCopy() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async () => {
    try {
      await startRunningCopy();
      notify.success('Salinan berjalan baru dimulai');
    } catch (error) {
      notify.failure(error, 'Gagal memulai salinan berjalan');
    }
    await queryClient.invalidateQueries({ queryKey: systemKeys.backups });
  });
  // A button that is busy during the question would not get the focus back.
  async function startAfterQuestion(): Promise<void> {
    if (await confirm(QUESTION)) await submit();
  }
  return { start: () => void startAfterQuestion(), busy };
}
