import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { pushPreferencesQuery, useChangePreferences } from './push-queries.ts';
import { QuietHoursField } from './quiet-hours.tsx';

/** The choice of notifications for all devices of a person (R-PUSH-63). Each change is stored at once. */
export function PushPreferencesFields({ titleOrder }: { titleOrder: 3 }) {
  const { data, error, isFetching, refetch } = useQuery(pushPreferencesQuery);
  const { change, isSaved } = useChangePreferences();
  const head = (
    <Title order={titleOrder} pt="0.875rem" fz="md" style={{ borderTop: '1px solid var(--line)' }}>
      Untuk semua perangkat Anda
    </Title>
  );
  if (!data) {
    return (
      <Stack gap="sm">
        {head}
        {error ? (
          <ErrorState
            title={messageOf(error, 'Gagal memuat pilihan notifikasi')}
            description={hintOf(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <Skeleton height={210} radius="md" aria-hidden />
        )}
      </Stack>
    );
  }
  return (
    <div>
      {head}
      <SettingSwitch
        label="Kirim notifikasi ke perangkat saya"
        description={
          data.enabled
            ? 'Matikan untuk menghentikan notifikasi di semua perangkat sekaligus.'
            : 'Sedang dimatikan: tidak ada perangkat Anda yang menerima notifikasi.'
        }
        checked={data.enabled}
        onChange={(enabled) => void change({ enabled })}
      />
      <SettingSwitch
        label="Tampilkan isi pesan"
        description={
          data.preview
            ? 'Awal pesan terlihat juga saat layar terkunci. Matikan jika ponsel dipakai bersama.'
            : 'Notifikasi hanya menyebut bahwa ada pesan baru.'
        }
        checked={data.preview}
        disabled={!data.enabled}
        onChange={(preview) => void change({ preview })}
      />
      <QuietHoursField
        quietHours={data.quiet_hours}
        disabled={!data.enabled}
        onChange={(quiet_hours) => change({ quiet_hours })}
      />
      <Text component="output" fz="sm" c="dimmed">
        {isSaved ? 'Pilihan tersimpan.' : ''}
      </Text>
    </div>
  );
}
