import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconCalendarX, IconUserShield } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { markNoticeSeen, noticesQuery } from '#client/features/notices/api.ts';
import type { RevertProps } from '#client/features/notices/revert-dialog.tsx';
import { useStopRetention } from '#client/features/retention/display/use-stop-retention.ts';
import { SERVER_TIME_ZONE, showDateTime } from '#client/lib/format.ts';
import { currentSession } from '#client/lib/session/session.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { paths } from '#client/paths.ts';
import type { AdminNotice } from '#shared/api/notices.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';

/** More lines would push the page away. The oldest come first, so that each has been shown before it counts as seen. */
const SHOWN_MAX = 3;

const isChangedAddress = ({ actions }: AdminNotice): boolean => actions.includes('revert');
/** An admin does not put it away before its day. */
const isLasting = ({ actions }: AdminNotice): boolean => actions.includes('stop');

const loadRevertDialog = async () => (await import('#client/features/notices/revert-dialog.tsx')).RevertDialog;

/** The audit, filtered as narrowly as shows all of these notices. */
function auditPathOf(notices: readonly AdminNotice[]): string {
  const [first] = notices;
  // Changed addresses come first, whatever their time.
  const [oldest] = notices.map(({ created_at: createdAt }) => createdAt).toSorted();
  if (!first || oldest === undefined) return paths.adminAudit;
  const isShared = (valueOf: (notice: AdminNotice) => string) =>
    notices.every((notice) => valueOf(notice) === valueOf(first));
  const filter = new URLSearchParams({ dari: todayIn(SERVER_TIME_ZONE, Date.parse(oldest)) });
  if (isShared(({ actor }) => actor.id)) filter.set('orang', first.actor.id);
  if (isShared(({ kind }) => kind)) filter.set('tindakan', first.kind);
  return `${paths.adminAudit}?${filter.toString()}`;
}

type Props = {
  /** Whether the page below has no padding, and needs the room. */
  isFullBleed: boolean;
};

/**
 * Tells admins who made or took an administrator, or downloaded all data: at once, and until they have seen it
 * (docs/requirements.md R-USER-17).
 */
export function AdminNotices({ isFullBleed }: Props) {
  const queryClient = useQueryClient();
  const { data = [] } = useQuery(noticesQuery);
  const lasting = data.filter(isLasting);
  const notices = data.filter((notice) => !isLasting(notice));
  const hasOwnHeader = useHasOwnHeader();
  const { pathname } = useLocation();

  const reload = useCallback(
    () => queryClient.refetchQueries({ queryKey: noticesQuery.queryKey }).catch(() => undefined),
    [queryClient],
  );
  const onNotice = useCallback(
    ({ actor_id: actorId }: { actor_id: string }) => {
      if (actorId !== currentSession()?.user?.id) void reload();
    },
    [reload],
  );
  useServerEvent('notice:new', onNotice);
  const onReconnect = useCallback(() => {
    // The first connection comes while the page loads them anyway.
    if (queryClient.getQueryState(noticesQuery.queryKey)?.data !== undefined) void reload();
  }, [queryClient, reload]);
  useServerEvent('connect', onReconnect);

  const { submit, busy } = useSubmit(async (seen: readonly AdminNotice[]) => {
    // Each of the two kinds is seen up to its newest line.
    const newest = [seen.find(isChangedAddress), seen.find((notice) => !isChangedAddress(notice))];
    try {
      for (const notice of newest) if (notice) await markNoticeSeen(notice.id);
    } catch (error) {
      notify.failure(error, 'Gagal menyimpan');
      return;
    }
    await reload();
  });

  const [reverted, setReverted] = useState<AdminNotice | null>(null);
  const endRevert = (): void => setReverted(null);
  const { Component: RevertDialog } = useLazyOverlay<RevertProps>(loadRevertDialog, {
    wanted: reverted !== null,
    failure: 'Kembalikan gagal dibuka',
    onCancel: endRevert,
  });

  const shown = notices.slice(isFullBleed ? -1 : -SHOWN_MAX);
  if (hasOwnHeader) return null;
  return (
    <>
      {/* Thirty days are too long for a line that takes the room of a conversation; its own page says more. */}
      {isFullBleed || pathname === paths.adminRetention
        ? null
        : lasting.map((notice) => <RetentionLine key={notice.id} notice={notice} />)}
      {shown.length > 0 ? (
        <SeenNotices
          shown={shown}
          hiddenCount={notices.length - shown.length}
          auditPath={auditPathOf(notices)}
          {...{ isFullBleed, busy }}
          onSeen={submit}
          onRevert={setReverted}
        />
      ) : null}
      {reverted && RevertDialog ? (
        <RevertDialog notice={reverted} onClose={endRevert} onReverted={() => void reload()} />
      ) : null}
    </>
  );
}

/** The announcement of a retention, until its first deletion (docs/requirements.md R-ACCESS-94). */
function RetentionLine({ notice: { id, text } }: { notice: AdminNotice }) {
  const { stop, busy } = useStopRetention();
  return (
    <Alert color="orange" variant="light" mb="md" icon={<IconCalendarX size={20} aria-hidden />}>
      <Stack gap="xs">
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        <Group gap="sm">
          <Button variant="default" loading={busy} onClick={() => void stop(id)}>
            Hentikan
          </Button>
          <Anchor component={Link} to={paths.adminRetention} className="link-target" underline="always">
            Lihat masa simpan
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}

type SeenProps = Props & {
  shown: readonly AdminNotice[];
  hiddenCount: number;
  auditPath: string;
  busy: boolean;
  onSeen: (shown: readonly AdminNotice[]) => Promise<void>;
  onRevert: (notice: AdminNotice) => void;
};

function SeenNotices({ shown, hiddenCount, auditPath, isFullBleed, busy, onSeen, onRevert }: SeenProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      mb={isFullBleed ? 0 : 'md'}
      {...(isFullBleed ? { radius: 0 } : {})}
      icon={<IconUserShield size={20} aria-hidden />}
    >
      <Stack gap="xs">
        {shown.map((notice) => (
          <Group key={notice.id} gap="0.25rem 0.75rem">
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {notice.text}{' '}
              <Text span fz="sm" fw={400}>
                ({showDateTime(notice.created_at)})
              </Text>
            </Text>
            {notice.actions.includes('revert') ? (
              <Button
                variant="default"
                aria-label={`Kembalikan alamat lama ${notice.actor.name}`}
                onClick={() => onRevert(notice)}
              >
                Kembalikan
              </Button>
            ) : null}
          </Group>
        ))}
        {isFullBleed ? null : (
          <Text fz="sm">Bila Anda tidak tahu-menahu, segera tanyakan kepada yang bersangkutan.</Text>
        )}
        <Group gap="sm">
          <Button variant="default" loading={busy} onClick={() => void onSeen(shown)}>
            Sudah saya lihat
          </Button>
          <Anchor component={Link} to={auditPath} className="link-target" underline="always">
            Lihat riwayat{hiddenCount > 0 ? ` (${hiddenCount} lainnya)` : ''}
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}
