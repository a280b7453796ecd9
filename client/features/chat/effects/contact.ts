import { ApiError } from '#client/lib/api/api-error.ts';
import { NoAdminContactError } from '../state/model/retry-policy.ts';
import { isAdmin } from '../state/chat-state.ts';
import type { Effect, JobContext } from './runner.ts';

async function fetchContact({ api, dispatch }: JobContext): Promise<string> {
  try {
    const contact = await api.fetchAdminContact();
    dispatch({ type: 'call.contactLoaded', contact });
    return contact.id;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    dispatch({ type: 'call.contactLoaded', contact: 'none' });
    throw new NoAdminContactError(error.message);
  }
}

/** Asks once for all jobs that need it. */
export async function refetchContact(context: JobContext): Promise<string> {
  const { contactCall } = context;
  contactCall.current ??= fetchContact(context).finally(() => (contactCall.current = null));
  return contactCall.current;
}

/**
 * The id under which this side asks for a conversation: of its user, or of the admin to whom a user's messages are addressed.
 * That one is fetched once, and again while there is none.
 */
export async function requirePeerId(userId: string, context: JobContext): Promise<string> {
  const state = context.read();
  if (isAdmin(state)) return userId;
  const known = state.adminContact;
  return known && known !== 'none' ? known.id : refetchContact(context);
}

/** Does not depend on the socket, and the first load needs it; an error is reported there. */
async function fetchEarly(_input: null, context: JobContext): Promise<void> {
  await refetchContact(context).catch(() => undefined);
}

export const contact: Effect<null> = {
  wanted: (state) => (isAdmin(state) ? [] : [['at start', null]]),
  run: fetchEarly,
};
