import type { Message } from '#shared/api/chat.ts';
import { callApi } from './api-call.ts';
import { countOutcome, type Lane, type Ledger, type SentMessage } from './ledger.ts';
import type { LoadClock } from './load-clock.ts';

/** Pauses before a repeat, as the browser's outbox makes them, only shorter. */
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 300;

export type Sender = { url: string; token: string; receiverId: string };

/** Sends a message until it is acknowledged or the load gives up. The repeats carry the same client_id. */
export async function sendUntilAcknowledged(
  ledger: Ledger,
  clock: LoadClock,
  { url, token, receiverId }: Sender,
  message: SentMessage,
): Promise<void> {
  const body = { to_user_id: receiverId, content: message.content, client_id: message.clientId };
  while (!clock.hasGivenUp()) {
    const result = await callApi(url, { method: 'POST', path: '/api/messages/send', token, body });
    countOutcome(ledger, 'send', result);
    if (result.status === 200 || result.status === 201) {
      if (result.status === 200) ledger.storedWithoutAnswer += 1;
      message.acknowledgedId = (result.body as { data: Message }).data.id;
      return;
    }
    await clock.pauseBetween(RETRY_MIN_MS, RETRY_MAX_MS);
  }
}

/** Adds a lane and sends one message after the other, with pauses around `meanPauseMs`, until the load ends. */
export async function runLane(
  ledger: Ledger,
  clock: LoadClock,
  sender: Sender,
  { meanPauseMs, ...owner }: Omit<Lane, 'messages'> & { meanPauseMs: number },
): Promise<void> {
  const lane: Lane = { ...owner, messages: [] };
  ledger.lanes.push(lane);
  for (let index = 0; ; index += 1) {
    await clock.pauseBetween(meanPauseMs / 2, (meanPauseMs * 3) / 2);
    if (clock.isOver()) return;
    const message = { clientId: `${lane.name}-${index}`, content: `${lane.name} pesan ${index}`, acknowledgedId: null };
    lane.messages.push(message);
    await sendUntilAcknowledged(ledger, clock, sender, message);
  }
}
