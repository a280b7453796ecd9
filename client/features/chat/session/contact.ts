import { ApiError } from '#client/lib/api-error.ts';
import { NoContact } from '../outbox/send-fate.ts';
import type { ChatApi } from './api.ts';
import { type ChatStore, contactAtom } from './state.ts';

/** Whom a resident's messages are addressed to. Asked once; again while there is nobody, or when the one known has gone. */
export function createContact(store: ChatStore, calls: Pick<ChatApi, 'contact'>) {
  let asking: Promise<string> | null = null;

  async function ask(): Promise<string> {
    try {
      const contact = await calls.contact();
      store.set(contactAtom, contact);
      return contact.id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      store.set(contactAtom, 'none');
      throw new NoContact(error.message);
    } finally {
      asking = null;
    }
  }

  const askOnce = (): Promise<string> => (asking ??= ask());
  return {
    id(): Promise<string> {
      const known = store.get(contactAtom);
      return known && known !== 'none' ? Promise.resolve(known.id) : askOnce();
    },
    /** The one known may have left the office. */
    askAgain: askOnce,
  };
}
