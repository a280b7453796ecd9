import { ApiError } from '#client/lib/api-error.ts';
import { NoAdminContactError } from '../outbox/retry-policy.ts';
import type { ChatApi } from './api.ts';
import { type ChatStore, adminContactAtom } from './state.ts';

/**
 * The admin to whom a user's messages are addressed. Fetched once, and again while there is none or the known one is gone.
 */
export function createAdminContact(store: ChatStore, api: Pick<ChatApi, 'fetchAdminContact'>) {
  let pendingFetch: Promise<string> | null = null;

  async function fetchId(): Promise<string> {
    try {
      const contact = await api.fetchAdminContact();
      store.set(adminContactAtom, contact);
      return contact.id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      store.set(adminContactAtom, 'none');
      throw new NoAdminContactError(error.message);
    } finally {
      pendingFetch = null;
    }
  }

  const fetchIdOnce = (): Promise<string> => (pendingFetch ??= fetchId());
  return {
    requireId(): Promise<string> {
      const known = store.get(adminContactAtom);
      return known && known !== 'none' ? Promise.resolve(known.id) : fetchIdOnce();
    },
    /** After a 403 or 404: the known admin is no admin any more or was deleted. An inactive admin can still be addressed. */
    refetchId: fetchIdOnce,
  };
}
