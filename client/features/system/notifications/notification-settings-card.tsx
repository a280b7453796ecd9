import { Card, Stack, Text, Title, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { requestDesktopPermission, useDesktopPermission, type DesktopPermission } from './desktop-permission.ts';
import type { AdminSettings, SettingsDeps } from './use-stored-settings.ts';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { IconVolume } from '@tabler/icons-react';
import { useSubmit } from '#client/ui/form/use-submit.ts';

type Props = {
  settings: AdminSettings;
  onChange: (change: Partial<AdminSettings>) => void;
  playBeep: SettingsDeps['playBeep'];
  /** The button that saves the choices. */
  children: ReactNode;
};

/** Choices for this browser: what happens when a user sends a message. */
export function NotificationSettingsCard({ settings, onChange, playBeep, children }: Props) {
  const permission = useDesktopPermission();
  const canRequestPermission = permission !== 'insecure' && permission !== 'missing';

  async function setDesktopNotifications(on: boolean): Promise<void> {
    if (!on || (await requestDesktopPermission())) onChange({ desktopNotifications: on });
  }

  return (
    <Card component="section" aria-labelledby="pengaturan-notifikasi">
      <Title order={2} id="pengaturan-notifikasi" mb={4}>
        Notifikasi
      </Title>
      <Text c="dimmed" mb="xs">
        Berlaku untuk peramban di perangkat ini saja.
      </Text>
      <Stack gap={0}>
        <SettingSwitch
          label="Notifikasi pesan"
          description="Beri tahu saya di halaman mana pun saat warga mengirim pesan."
          checked={settings.notifications}
          onChange={(notifications) => onChange({ notifications })}
        />
        <SettingSwitch
          label="Notifikasi desktop"
          description="Tampil di layar komputer juga saat tab ini tidak sedang dibuka."
          checked={settings.desktopNotifications && permission === 'granted'}
          disabled={!settings.notifications || !canRequestPermission}
          onChange={(on) => void setDesktopNotifications(on)}
        />
        <DesktopPermissionAlert permission={permission} isEnabled={settings.desktopNotifications} />
        <SettingSwitch
          label="Suara chat"
          description="Bunyi tiga nada pendek untuk setiap pesan baru."
          checked={settings.chatSound}
          disabled={!settings.notifications}
          onChange={(chatSound) => onChange({ chatSound })}
        />
        <SettingSwitch
          label="Ulangi suara"
          description="Bunyi lagi setiap 30 detik sampai ada admin yang menjawab, menangani, menunda, atau menandai tidak perlu dibalas."
          checked={settings.repeatSound}
          disabled={!settings.notifications || !settings.chatSound}
          onChange={(repeatSound) => onChange({ repeatSound })}
        />
        <SoundTest playBeep={playBeep} />
      </Stack>
      {children}
    </Card>
  );
}

const STILL_WORKING = 'Bunyi, tanda di judul tab, dan angka pesan di menu tetap berfungsi.';

const permissionAlerts = {
  insecure: {
    message: 'Notifikasi desktop memerlukan alamat https',
    hint: `Halaman ini dibuka lewat http, dan peramban hanya mengizinkan notifikasi desktop dan notifikasi saat aplikasi tertutup di alamat https. ${STILL_WORKING}`,
  },
  missing: {
    message: 'Peramban ini tidak mendukung notifikasi desktop',
    hint: `Gunakan peramban lain untuk menerimanya. ${STILL_WORKING}`,
  },
  denied: {
    message: 'Peramban ini memblokir notifikasi dari PBB Kita',
    hint: `Tekan ikon di sebelah kiri alamat situs, izinkan Notifikasi, lalu nyalakan lagi di sini. ${STILL_WORKING}`,
  },
  notGranted: {
    message: 'Izin notifikasi desktop belum diberikan di peramban ini',
    hint: 'Nyalakan lagi untuk meminta izin.',
  },
} as const;

/** Why desktop notifications do not work, what to do, and what works without them. */
function DesktopPermissionAlert({ permission, isEnabled }: { permission: DesktopPermission; isEnabled: boolean }) {
  if (permission === 'granted') return null;
  if (permission === 'default') return isEnabled ? <FormAlert kind="warning" {...permissionAlerts.notGranted} /> : null;
  return <FormAlert kind={permission === 'denied' ? 'warning' : 'info'} {...permissionAlerts[permission]} />;
}

/** Plays the sound of a new message. */
function SoundTest({ playBeep }: Pick<SettingsDeps, 'playBeep'>) {
  const [wasPlayed, setWasPlayed] = useState<boolean | null>(null);
  const { submit, busy } = useSubmit(async () => setWasPlayed(await playBeep()));
  return (
    <>
      <Group gap="sm" mt="sm">
        <Button
          variant="default"
          leftSection={<IconVolume size={18} aria-hidden />}
          onClick={() => void submit()}
          loading={busy}
        >
          Tes suara
        </Button>
        <Text component="output" fz="sm" c="dimmed">
          {wasPlayed ? 'Suara dibunyikan. Tidak terdengar? Periksa volume perangkat Anda.' : null}
        </Text>
      </Group>
      {wasPlayed === false ? (
        <FormAlert
          kind="warning"
          message="Peramban memblokir suara halaman ini"
          hint="Tekan ikon di sebelah kiri alamat situs dan izinkan Suara, lalu tekan Tes suara lagi."
        />
      ) : null}
    </>
  );
}
