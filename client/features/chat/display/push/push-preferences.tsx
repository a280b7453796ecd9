import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { pushPreferencesQuery, useChangePreferences } from './push-queries.ts';
import { QuietHoursField } from './quiet-hours.tsx';

/** The choice of notifications for all devices of a person (R-PUSH-63). Each change is stored at once. */
export function PushPreferencesFields({ titleOrder }: { titleOrder: 3 }) {
  const query = useQuery(pushPreferencesQuery);
  const { change, isSaved } = useChangePreferences();
  return (
    <div>
      <Title order={titleOrder} pt="0.875rem" fz="md" style={{ borderTop: '1px solid var(--line)' }}>
        Untuk semua perangkat Anda
      </Title>
      <QueryView
        query={query}
        failedText="Gagal memuat pilihan notifikasi"
        loading={{ text: 'Memuat pilihan notifikasi…', rows: 1, height: 210 }}
      >
        {(data) => (
          <>
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
          </>
        )}
      </QueryView>
    </div>
  );
}
