import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';
import { connectionHealthAtom, isOnlineAtom } from '../session/state.ts';
import { useIsSlow } from '../thread/notices/use-is-slow.ts';
import classes from './chat-panel.module.css';

export type ConnectionLabel = 'Online' | 'Offline' | 'Menghubungkan…';

/**
 * Whether this page is connected (R-CHAT-17). Only before the first answer there is a third text, for three seconds at most.
 */
export function useConnectionLabel(): ConnectionLabel {
  const online = useAtomValue(isOnlineAtom);
  const { socketConnected, lastPollSucceeded } = useAtomValue(connectionHealthAtom);
  const isUnknown = !socketConnected && lastPollSucceeded === null;
  const isSlow = useIsSlow(isUnknown);
  if (online) return 'Online';
  return isUnknown && !isSlow ? 'Menghubungkan…' : 'Offline';
}

/** The dot with its text, and beside it what the office says while this page is connected. */
export function ConnectionDot({ word: label, presence }: { word: ConnectionLabel; presence: ReactNode }) {
  return (
    <output className={classes['state']}>
      <span className={classes['dot']} data-online={label === 'Online' || undefined} aria-hidden />
      {label}
      {label === 'Online' && presence ? <span className={classes['presence']}>{presence}</span> : null}
    </output>
  );
}
