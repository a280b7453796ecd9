import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { notify } from '../feedback/notify.tsx';
import { holdKeys } from '../keys/page-keys.ts';

type Options = {
  /** The overlay was asked for. */
  wanted: boolean;
  /** Loads the code before it is asked for; a failure is then silent. */
  early?: boolean;
  /** The message when the code cannot be loaded, for example 'Foto gagal dibuka'. */
  failure: string;
  /** Ends the request: after Escape, or because the code cannot be loaded. */
  onCancel: () => void;
  /** Called in place of `onCancel` and the toast when the code cannot be loaded. */
  onFailure?: () => void;
};

/**
 * Loads the code of a dialog, menu or viewer when it is asked for. Until it is there no key reaches the page
 * (docs/requirements.md R-UI-26): what is typed too early would press buttons there.
 * @param load must be a constant, because a new function loads again
 */
export function useLazyOverlay<Props = object>(
  load: () => Promise<ComponentType<Props>>,
  { wanted, early = false, failure, onCancel, onFailure }: Options,
) {
  const [loaded, setLoaded] = useState<{ Component: ComponentType<Props> } | null>(null);
  const cancel = useEffectEvent(onCancel);
  const fail = useEffectEvent((error: unknown) => {
    console.warn(failure, error);
    if (!wanted) return;
    if (onFailure) {
      onFailure();
      return;
    }
    onCancel();
    // Some browsers keep a failed module until the page is loaded anew.
    notify.error(failure, 'Periksa koneksi Anda, lalu coba lagi atau muat ulang halaman ini.');
  });
  const isLoading = (wanted || early) && loaded === null;
  const isAwaited = wanted && loaded === null;

  useEffect(() => {
    if (!isAwaited) return undefined;
    return holdKeys(() => cancel());
  }, [isAwaited]);

  useEffect(() => {
    if (!isLoading) return undefined;
    let isOver = false;
    async function tryLoading(): Promise<void> {
      try {
        const Component = await load();
        if (!isOver) setLoaded({ Component });
      } catch (error) {
        if (!isOver) fail(error);
      }
    }
    void tryLoading();
    return () => {
      isOver = true;
    };
    // When it is asked for after a failed early load, it is loaded again.
  }, [isLoading, wanted, load]);

  return { Component: loaded?.Component ?? null };
}
