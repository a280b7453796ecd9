import { Button, CloseButton, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { currentBrowser, howToAllow, INSTALL_FIRST } from '../display/push/push-help.ts';
import { pushPreferencesQuery } from '../display/push/push-queries.ts';
import { type PushState, usePushState, useTurnOn } from '../display/push/use-push-state.ts';
import classes from './ask-push-card.module.css';

/** The key that stores that this account was asked in this browser; a sign-out removes it. */
const askedKey = (userId: string): string => `pbb-chat-asked:${userId}`;

type Props = {
  userId: string;
  onShown: () => void;
  /** The focus was in it and needs another place. */
  onClosed: () => void;
};

/** The step to take before notifications can be turned on in this browser; null if none is needed. */
function findAdvice(state: PushState): string | null {
  if (state === 'install-first') return INSTALL_FIRST;
  if (state === 'denied') return `Peramban ini memblokir notifikasi dari PBB Kita. ${howToAllow(currentBrowser())}`;
  return null;
}

/** Asks whether to notify of the office's answer, at the moment at which that explains itself (R-PUSH-60). */
export function AskPushCard({ userId, onShown, onClosed }: Props) {
  const [isOpen, setOpen] = useState(() => readStored(askedKey(userId)) === null);
  const state = usePushState();
  const { turnOn, busy, wasBlocked, problemWords } = useTurnOn();
  // A user who blocked notifications before is not asked; one who blocks them now reads how to undo that.
  const isPossible =
    isOpen && (state === 'off' || state === 'install-first' || busy || (state === 'denied' && wasBlocked));
  // A user who wants no notifications at all is not asked about this browser.
  const { data } = useQuery({ ...pushPreferencesQuery, enabled: isPossible });
  const isShown = isPossible && data?.enabled === true;
  useEffect(() => {
    if (isShown) onShown();
    // Once for each time that it appears.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isShown]);
  const titleId = useId();
  const closeButton = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  useEffect(() => {
    if (wasBlocked) closeButton.current?.focus();
  }, [wasBlocked]);
  if (!isShown) return null;

  const advice = findAdvice(state);

  function close(): void {
    writeStored(askedKey(userId), '1');
    setOpen(false);
    onClosed();
  }
  function later(): void {
    close();
    notify.info('Notifikasi dapat dinyalakan kapan saja di Akun Saya.');
  }
  function accept(): void {
    void turnOn(() => {
      close();
      notify.success('Notifikasi dinyalakan. Pilihannya, juga jam tenang, ada di Akun Saya.');
    });
  }

  return (
    <section className={classes['card']} aria-labelledby={titleId}>
      <IconBell size={22} className={classes['icon'] ?? ''} aria-hidden />
      <div className={classes['about']}>
        <Text fw={600} id={titleId}>
          Beri tahu saya saat kantor menjawab
        </Text>
        <Text
          // A new element, so that a screen reader speaks it.
          key={wasBlocked ? 'blocked' : problemWords?.message}
          fz="sm"
          component="div"
          role={problemWords || wasBlocked ? 'alert' : undefined}
        >
          {advice ??
            (problemWords
              ? `${problemWords.message}. ${problemWords.hint}`
              : 'Jawabannya muncul di perangkat ini, juga saat halaman ini sudah ditutup.')}
        </Text>
        {advice === null ? (
          <div className={classes['buttons']}>
            <Button mih={44} loading={busy} onClick={accept}>
              Nyalakan
            </Button>
            <Button mih={44} variant="default" disabled={busy} onClick={later}>
              Nanti saja
            </Button>
          </div>
        ) : null}
      </div>
      {advice === null ? null : (
        <CloseButton ref={closeButton} size={44} aria-label="Tutup pertanyaan tentang notifikasi" onClick={close} />
      )}
    </section>
  );
}
