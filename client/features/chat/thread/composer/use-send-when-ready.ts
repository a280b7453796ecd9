import { useEffect, useEffectEvent, useRef, useState } from 'react';

/**
 * Sends at once, or as soon as the files of the message are prepared. When one of them is refused meanwhile, its writer decides.
 * @param preparing names the files that are being prepared; null for none
 * @param refused how many chosen files were refused
 */
export function useSendWhenReady(preparing: string | null, refused: number, maySend: boolean, onSend: () => boolean) {
  /** The files after which it is to be sent, and how many had been refused by then. */
  const [wanted, setWanted] = useState<{ files: string; refused: number } | null>(null);
  const last = useRef<string | null>(null);
  const sendNow = useEffectEvent(() => {
    if (maySend && refused === wanted?.refused) onSend();
  });
  useEffect(() => {
    const prepared = last.current;
    last.current = preparing;
    if (preparing === null && prepared !== null && prepared === wanted?.files) sendNow();
  }, [preparing, wanted]);
  return {
    isWaiting: preparing !== null && preparing === wanted?.files,
    send(): void {
      if (!maySend) return;
      if (preparing === null) onSend();
      else setWanted({ files: preparing, refused });
    },
    cancel: (): void => setWanted(null),
  };
}
