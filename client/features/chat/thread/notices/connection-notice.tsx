import { Text } from '@mantine/core';
import { IconClock, IconCloudOff } from '@tabler/icons-react';
import chat from '../../chat.module.css';
import { useIsSlow } from './use-is-slow.ts';

/** Says what is wrong with the connection and what happens to unsent messages; nothing while connected. */
export function ConnectionNotice({ offline, waiting: waitingCount }: { offline: boolean; waiting: number }) {
  const isSlow = useIsSlow(!offline && waitingCount > 0);
  const subject = waitingCount > 1 ? `${waitingCount} pesan Anda` : 'Pesan Anda';
  const Icon = offline ? IconCloudOff : IconClock;
  let text = '';
  if (offline) {
    text =
      waitingCount > 0
        ? `Koneksi terputus. ${subject} dikirim begitu koneksi kembali.`
        : 'Koneksi terputus. Menyambung kembali…';
  } else if (isSlow) text = `${subject} belum terkirim. Mencoba lagi…`;
  return (
    <Text component="output" className={chat['warning'] ?? ''} fw={500}>
      {text ? (
        <>
          <Icon size={16} aria-hidden />
          <span>{text}</span>
        </>
      ) : null}
    </Text>
  );
}
