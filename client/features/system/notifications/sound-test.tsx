import { Button, Group, Text } from '@mantine/core';
import { IconVolume } from '@tabler/icons-react';
import { useState } from 'react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { SettingsDeps } from './use-stored-settings.ts';

/** Plays the sound of a new message. */
export function SoundTest({ playBeep }: Pick<SettingsDeps, 'playBeep'>) {
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
