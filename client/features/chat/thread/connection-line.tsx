import { IconClock, IconCloudOff } from '@tabler/icons-react';
import classes from './connection-line.module.css';
import { useSlow } from './use-slow.ts';

/** Says what is the matter with the connection and what becomes of unsent messages; nothing while all is well. */
export function ConnectionLine({ offline, waiting }: { offline: boolean; waiting: number }) {
  const late = useSlow(!offline && waiting > 0);
  const words = waiting > 1 ? `${waiting} pesan Anda` : 'Pesan Anda';
  const Icon = offline ? IconCloudOff : IconClock;
  let text = '';
  if (offline) {
    text =
      waiting > 0
        ? `Koneksi terputus. ${words} dikirim begitu koneksi kembali.`
        : 'Koneksi terputus. Menyambung kembali…';
  } else if (late) text = `${words} belum terkirim. Mencoba lagi…`;
  return (
    <output className={classes['line']}>
      {text ? (
        <>
          <Icon size={16} aria-hidden />
          <span>{text}</span>
        </>
      ) : null}
    </output>
  );
}
