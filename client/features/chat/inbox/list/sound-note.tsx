import { IconVolumeOff } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { soundStateAtom } from '../../notifications/beep.ts';
import { readNotificationPreferences } from '../../notifications/preferences.ts';
import classes from './list.module.css';

/** Says that new messages are silent and how to change that; gone with the first press, if the browser allows sound at all. */
export function SoundBlockedNotice() {
  const blocked = useAtomValue(soundStateAtom) === 'blocked';
  const { notifications, chatSound } = readNotificationPreferences();
  if (!blocked || !notifications || !chatSound) return null;
  return (
    <p className={classes['notice']}>
      <IconVolumeOff size={18} aria-hidden />
      Suara diblokir peramban. Klik di mana saja agar pesan baru berbunyi.
    </p>
  );
}
