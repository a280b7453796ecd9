import type { NotificationData } from '#client/lib/notifications/show-once.ts';
import { isOpenOffer, OPEN, type WorkerMessage } from '#client/lib/notifications/worker-messages.ts';
import { ANSWER_HASH } from '#client/paths.ts';

declare const self: ServiceWorkerGlobalScope;

/** A page that works answers at once; one that is frozen never does, and the browser does not wait long for a window. */
const OFFER_WAIT_MS = 700;

type Offer = { client: WindowClient; rank: number; accept: () => void };

/** Asks a page whether it can show a conversation. @returns null when it cannot, or does not answer */
function askPage(client: WindowClient, message: WorkerMessage): Promise<Offer | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const give = (offer: Offer | null): void => {
      clearTimeout(timer);
      resolve(offer);
    };
    // Nobody listens at the port then, so a page that wakes up later does nothing.
    const timer = setTimeout(() => give(null), OFFER_WAIT_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isOpenOffer(data)) give({ client, rank: data.rank, accept: () => port1.postMessage(OPEN) });
    });
    port1.start();
    client.postMessage(message, [port2]);
  });
}

const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** The browser allows it only after a press; without it the conversation is open nevertheless, behind. */
async function bringToFront(client: WindowClient): Promise<void> {
  await client.focus().catch(() => undefined);
}

async function openWindow(url: string): Promise<void> {
  await self.clients.openWindow(url).catch(() => undefined);
}

/** In one of the open windows, in that which has to change least for it; else in a new one (R-PUSH-44). */
export async function openConversation({ receiver_id, user_id, url }: NotificationData): Promise<void> {
  const message: WorkerMessage = { type: 'may-open', accountId: receiver_id, userId: user_id };
  const asked = await Promise.all((await listWindows()).map((client) => askPage(client, message)));
  const offers = asked.filter((offer) => offer !== null);
  // The browser lists first what had the focus last.
  const [best] = offers.toSorted((a, b) => b.rank - a.rank);
  if (best) {
    best.accept();
    await bringToFront(best.client);
    return;
  }
  const target = new URL(url, self.location.origin);
  // Never to another server, whatever a push says.
  if (target.origin !== self.location.origin) return;
  target.hash = ANSWER_HASH;
  await openWindow(target.href);
}

/** For a press that leads to no conversation: of a test, or because its account is not signed in here. */
export async function openStart(path: string): Promise<void> {
  const [first] = await listWindows();
  if (first) await bringToFront(first);
  else await openWindow(path);
}
