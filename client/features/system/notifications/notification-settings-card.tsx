import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { requestDesktopPermission, useDesktopPermission } from './desktop-permission.ts';
import type { AdminSettings, SettingsDeps } from './use-stored-settings.ts';
import { DesktopPermissionAlert } from './desktop-permission-alert.tsx';
import { SettingSwitch } from '#client/ui/form/setting-switch.tsx';
import { SoundTest } from './sound-test.tsx';

type Props = {
  settings: AdminSettings;
  onChange: (change: Partial<AdminSettings>) => void;
  playBeep: SettingsDeps['playBeep'];
  /** What saves the choices. */
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
