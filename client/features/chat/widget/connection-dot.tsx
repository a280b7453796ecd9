import { useAtomValue } from 'jotai';
import { connectionAtom, isOnlineAtom, liveAtom } from '../session/state.ts';
import { useSlow } from '../thread/use-slow.ts';
import classes from './chat-panel.module.css';

export type ConnectionWord = 'Online' | 'Offline' | 'Menghubungkan…';

/** Whether this page is connected (contract 6). Only before the very first answer is there a third word, for three seconds at most. */
export function useConnectionWord(): ConnectionWord {
  const online = useAtomValue(isOnlineAtom);
  const { socket, polled } = useAtomValue(connectionAtom);
  const unknown = !socket && polled === null;
  const late = useSlow(unknown);
  if (online) return 'Online';
  return unknown && !late ? 'Menghubungkan…' : 'Offline';
}

/** The dot with its word, and beside it whether somebody of the office is there. */
export function ConnectionDot({ word }: { word: ConnectionWord }) {
  const { adminOnline } = useAtomValue(liveAtom);
  return (
    <output className={classes['state']}>
      <span className={classes['dot']} data-online={word === 'Online' || undefined} aria-hidden />
      {word}
      {word === 'Online' && adminOnline ? <span className={classes['presence']}>Admin sedang aktif</span> : null}
    </output>
  );
}
