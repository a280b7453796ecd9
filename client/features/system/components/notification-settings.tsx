import { Card, Stack, Text, Title } from '@mantine/core';
import { askDesktopPermission, useDesktopPermission } from '../desktop-permission.ts';
import type { AdminSettings, SettingsDeps } from '../settings-deps.ts';
import { DesktopHint } from './desktop-hint.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { SoundTest } from './sound-test.tsx';

type Props = {
  settings: AdminSettings;
  onChange: (change: Partial<AdminSettings>) => void;
  playBeep: SettingsDeps['playBeep'];
};

/** What happens when a resident writes. */
export function NotificationSettings({ settings, onChange, playBeep }: Props) {
  const permission = useDesktopPermission();
  const canAsk = permission !== 'insecure' && permission !== 'missing';

  async function switchDesktop(on: boolean): Promise<void> {
    if (!on || (await askDesktopPermission())) onChange({ desktopNotifications: on });
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
          disabled={!settings.notifications || !canAsk}
          onChange={(on) => void switchDesktop(on)}
        />
        <DesktopHint permission={permission} wanted={settings.desktopNotifications} />
        <SettingSwitch
          label="Suara chat"
          description="Bunyi tiga nada pendek untuk setiap pesan baru."
          checked={settings.chatSound}
          disabled={!settings.notifications}
          onChange={(chatSound) => onChange({ chatSound })}
        />
        <SoundTest playBeep={playBeep} />
      </Stack>
    </Card>
  );
}
