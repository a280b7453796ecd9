/** The messages about notifications between pages and the service worker. */

/** From a page: an account has left this browser. `erase`: it signed out, so nothing of it may stay. */
export type PageMessage = { type: 'account-left'; accountId: string; erase: boolean };

export type WorkerMessage =
  /**
   * A notification was pressed: which page can show the conversation? The answer comes through the port as an `OpenOffer`, and
   * the page that is chosen gets `OPEN` through it. A page that was frozen meanwhile answers nobody.
   */
  | { type: 'may-open'; accountId: string; userId: string }
  /** The browser has replaced or ended the subscription. */
  | { type: 'subscription-changed' }
  /** An answer from a notification could not be sent, and is kept. */
  | { type: 'reply-kept' };

/** The higher, the less has to change on that page; null: it cannot. */
export type OpenOffer = { rank: number | null };
export const OPEN = 'open';

const isMessage = (value: unknown): value is { type: unknown } =>
  typeof value === 'object' && value !== null && 'type' in value;

export const isPageMessage = (value: unknown): value is PageMessage =>
  isMessage(value) && value.type === 'account-left';

const WORKER_MESSAGES: readonly unknown[] = ['may-open', 'subscription-changed', 'reply-kept'];
export const isWorkerMessage = (value: unknown): value is WorkerMessage =>
  isMessage(value) && WORKER_MESSAGES.includes(value.type);

export const isOpenOffer = (value: unknown): value is OpenOffer =>
  typeof value === 'object' &&
  value !== null &&
  'rank' in value &&
  (value.rank === null || typeof value.rank === 'number');
