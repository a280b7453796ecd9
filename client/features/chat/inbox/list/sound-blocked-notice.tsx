import { UnstyledButton } from '@mantine/core';
import { IconVolumeOff } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { playBeep, soundStateAtom } from '../../notifications/beep.ts';
import { readNotificationPreferences } from '../../notifications/preferences.ts';
import classes from './list.module.css';

/** Says that new messages are silent; a press, here or anywhere else, enables the sound if the browser allows it. */
export function SoundBlockedNotice() {
  const blocked = useAtomValue(soundStateAtom) === 'blocked';
  const { notifications, chatSound } = readNotificationPreferences();
  if (!blocked || !notifications || !chatSound) return null;
  return (
    <UnstyledButton className={classes['notice'] ?? ''} onClick={() => void playBeep()}>
      <IconVolumeOff size={18} aria-hidden />
      Suara diblokir peramban. Tekan untuk mengaktifkan.
    </UnstyledButton>
  );
}
