import { Badge, Box, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconBell, IconDeviceLaptop, IconDeviceMobile, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { showDateTime } from '#client/lib/format.ts';
import type { OwnSession } from '#shared/api/auth.ts';
import { sessionsQuery } from '../api.ts';
import section from '#client/ui/form/form-section.module.css';
import classes from '../account.module.css';
import { formatLastActive, parseUserAgent } from '../device.ts';
import { useEndSessions } from '../use-end-sessions.ts';

const entryTexts: Record<OwnSession['entry'], string> = {
  password: 'password',
  code: 'kode dari kantor',
  card: 'kartu warga',
};

type RowProps = { session: OwnSession; nowMs: number; onEnd: (session: OwnSession) => void };

function SessionRow({ session, nowMs, onEnd }: RowProps) {
  const { name, isHandheld } = parseUserAgent(session.user_agent);
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceLaptop;
  return (
    <li className={classes['session']}>
      <ThemeIcon size={40} radius="md" variant="light" color={session.current ? 'laut' : 'gray'} aria-hidden>
        <Icon size={22} />
      </ThemeIcon>
      <Box flex="1 1 11rem" miw={0}>
        <Group gap="0.25rem 0.5rem" fw={600} className={classes['break'] ?? ''}>
          {name}
          {session.current ? (
            <Badge variant="light" color="green" size="lg" fw={600}>
              Sesi ini
            </Badge>
          ) : null}
        </Group>
        {session.has_notifications ? (
          <Group gap={4} fz="sm">
            <IconBell size={16} aria-hidden /> Menerima notifikasi
          </Group>
        ) : null}
        <Text fz="sm">{session.current ? 'Sedang dipakai' : formatLastActive(session.last_seen_at, nowMs)}</Text>
        <Text c="dimmed" fz="sm" className={classes['break'] ?? ''}>
          Masuk {showDateTime(session.created_at)} dengan {entryTexts[session.entry]}
          {session.address ? ` · alamat ${session.address}` : ''}
        </Text>
      </Box>
      {session.current ? null : (
        <Button
          variant="default"
          className="no-print"
          aria-label={`Keluarkan ${name} (Logout)`}
          onClick={() => onEnd(session)}
        >
          Keluarkan
        </Button>
      )}
    </li>
  );
}

/** The own sessions, with buttons that end the others. */
export function SessionList() {
  const query = useQuery(sessionsQuery);
  const list = useRef<HTMLUListElement>(null);
  const { endOne, endOthers } = useEndSessions(() => list.current?.focus());

  return (
    <FormSection title="Sesi" text="Perangkat yang sedang masuk ke akun Anda. Keluarkan yang tidak Anda kenal.">
      <Stack gap="md">
        <QueryView query={query} failedText="Gagal memuat sesi" loading={{ text: 'Memuat sesi…', rows: 2, height: 56 }}>
          {({ data: sessions }) => (
            <>
              <ul ref={list} tabIndex={-1} className={classes['rows']} aria-label="Daftar sesi">
                {sessions.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    nowMs={query.dataUpdatedAt}
                    onEnd={(ended) => void endOne(ended)}
                  />
                ))}
              </ul>
              {sessions.every(({ current }) => current) ? (
                <Text c="dimmed">Tidak ada perangkat lain yang masuk.</Text>
              ) : (
                <div className={`${section['buttons']} no-print`}>
                  <Button
                    variant="light"
                    color="red"
                    leftSection={<IconLogout size={18} aria-hidden />}
                    onClick={() => void endOthers()}
                  >
                    Keluarkan semua perangkat lain
                  </Button>
                </div>
              )}
            </>
          )}
        </QueryView>
      </Stack>
    </FormSection>
  );
}
