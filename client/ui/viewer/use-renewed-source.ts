import { useRef, useState } from 'react';

/** `attempt` grows with each new try, so that the same address is loaded again by another element. */
export type RenewedSource = {
  url: string | null;
  attempt: number;
  state: 'loading' | 'loaded' | 'renewing' | 'failed';
};

/**
 * The address of an image whose links expire. An image keeps its address while that works, because another link to the same
 * image would only make it flicker. After an error it is renewed once by itself, and then only on request.
 */
export function useRenewedSource(url: string | null, onRenew?: () => Promise<void>) {
  const [source, setSource] = useState<RenewedSource>({ url, attempt: 0, state: 'loading' });
  const tryAgain = (next: string | null) =>
    setSource(({ attempt }) => ({ url: next, attempt: attempt + 1, state: 'loading' }));
  if (source.url !== url && (source.url === null || source.state === 'failed')) tryAgain(url);

  const hasRenewed = useRef(false);

  async function renew(): Promise<void> {
    setSource((before) => ({ ...before, state: 'renewing' }));
    await onRenew?.();
    // The next render takes the link that it has by then.
    tryAgain(null);
  }

  return {
    source,
    handleLoad: (): void => setSource((before) => ({ ...before, state: 'loaded' })),
    handleError: (): void => {
      if (source.url !== url) tryAgain(url);
      else if (onRenew && !hasRenewed.current) {
        hasRenewed.current = true;
        void renew();
      } else setSource((before) => ({ ...before, state: 'failed' }));
    },
    retry: (): void => void renew(),
  };
}
