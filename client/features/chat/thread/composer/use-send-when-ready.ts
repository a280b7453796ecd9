import { useEffect, useEffectEvent, useRef, useState } from 'react';

/**
 * Sends at once, or as soon as the files of the message are prepared.
 * @param preparing names the files that are being prepared; null for none
 */
export function useSendWhenReady(preparing: string | null, maySend: boolean, onSend: () => boolean) {
  /** The files after which it is to be sent. */
  const [wanted, setWanted] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  const sendNow = useEffectEvent(() => {
    if (maySend) onSend();
  });
  useEffect(() => {
    const prepared = last.current;
    last.current = preparing;
    if (preparing === null && prepared !== null && prepared === wanted) sendNow();
  }, [preparing, wanted]);
  return {
    isWaiting: preparing !== null && preparing === wanted,
    send(): void {
      if (!maySend) return;
      if (preparing === null) onSend();
      else setWanted(preparing);
    },
    cancel: (): void => setWanted(null),
  };
}
