import type { PushReach } from '#shared/api/system.ts';
import type { Processes } from '#server/process/processes.ts';

type SentPushes = Omit<PushReach, 'subscriptions'>;

const STATUS = 'push: status';

/** Lets every process show what the leader sent, because only the leader sends (R-PUSH-19). @param readOwn of this process */
export function createLeaderStatus(
  { tell, on, onJoined, isLeader, others }: Pick<Processes, 'tell' | 'on' | 'onJoined' | 'isLeader' | 'others'>,
  readOwn: () => SentPushes,
) {
  let heard: SentPushes | null = null;
  let lastTold = '';
  on(STATUS, (status: SentPushes) => void (heard = status));
  onJoined(() => void (lastTold = ''));
  return {
    read: (): SentPushes => (isLeader() || !heard ? readOwn() : heard),
    /** Called every second by the leader. */
    tellChanges(): void {
      if (others() === 0) return;
      const status = readOwn();
      const text = JSON.stringify(status);
      if (text !== lastTold) tell(STATUS, status);
      lastTold = text;
    },
  };
}
