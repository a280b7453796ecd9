import { isOpenOffer, OPEN, type WorkerMessage } from './worker-messages.ts';

/** A page that works answers at once; one that is frozen never does, and the browser does not wait long for a window. */
const OFFER_WAIT_MS = 700;

type Page = { postMessage: (message: unknown, transfer: Transferable[]) => void };
type Offer<P> = { page: P; rank: number; accept: () => void };

function askPage<P extends Page>(page: P, message: WorkerMessage): Promise<Offer<P> | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    // The port is closed then, so a page that wakes up later does nothing.
    const timer = setTimeout(() => {
      port1.close();
      resolve(null);
    }, OFFER_WAIT_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isOpenOffer(data)) return;
      clearTimeout(timer);
      const { rank } = data;
      resolve(rank === null ? null : { page, rank, accept: () => port1.postMessage(OPEN) });
    });
    port1.start();
    page.postMessage(message, [port2]);
  });
}

/**
 * Lets one of the open pages show a conversation: the one that has to change least for it, of those the first (R-PUSH-44).
 * @returns which one it was; null when none can
 */
export async function openInPage<P extends Page>(pages: readonly P[], message: WorkerMessage): Promise<P | null> {
  const asked = await Promise.all(pages.map((page) => askPage(page, message)));
  const best = asked.reduce((a, b) => (b === null || (a !== null && a.rank >= b.rank) ? a : b), null);
  best?.accept();
  return best?.page ?? null;
}
