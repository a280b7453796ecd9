import type { History, Message } from '#shared/api/chat/chat.ts';
import { callApi } from './api-call.ts';
import { countOutcome, type Ledger } from './ledger.ts';

const PAGE_SIZE = 200;

export type ConversationView = {
  /** The messages that this client has, in its order. */
  ids: string[];
  /** A message from the socket: appended when it follows the last one, otherwise the missing ones are loaded. */
  receive: (message: Message) => void;
  /** Loads everything after the last known message. @returns whether it worked */
  catchUp: () => Promise<boolean>;
};

/**
 * The simplest client of one conversation: the socket, and REST for what it missed (docs/requirements.md R-EVENT-8).
 * @param otherId whose id opens the conversation: an admin's for a user, the user's for an admin
 */
export function createConversationView(
  ledger: Ledger,
  name: string,
  { url, token, otherId }: { url: string; token: string; otherId: string },
): ConversationView {
  const ids: string[] = [];
  let running: Promise<boolean> | null = null;
  let isStale = false;
  const lastId = (): string => ids.at(-1) ?? '0';
  const follows = (message: Message): boolean => (message.prev_id ?? '0') === lastId();

  async function loadMissing(): Promise<boolean> {
    for (;;) {
      isStale = false;
      const path = `/api/messages/conversation/${otherId}?limit=${PAGE_SIZE}&after=${lastId()}`;
      const result = await callApi(url, { method: 'GET', path, token });
      countOutcome(ledger, 'history', result);
      if (result.status !== 200) return false;
      const { data } = result.body as { data: History };
      for (const message of data.messages) {
        if (Number(message.id) <= Number(lastId())) continue;
        if (!follows(message)) {
          ledger.violations.push(`${name}: message ${message.id} follows ${message.prev_id}, not ${lastId()}`);
        }
        ids.push(message.id);
      }
      if (!data.has_more && !isStale) return true;
    }
  }

  function catchUp(): Promise<boolean> {
    isStale = true;
    running ??= loadMissing().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    ids,
    catchUp,
    receive(message) {
      if (Number(message.id) <= Number(lastId())) return;
      if (running === null && follows(message)) ids.push(message.id);
      else void catchUp();
    },
  };
}
