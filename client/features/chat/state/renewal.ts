import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import {
  changeConversation,
  type ChatState,
  conversationIdOf,
  conversationOf,
  hasTimer,
  type Now,
  type Renewal,
  setTimer,
  withoutKey,
} from './chat-state.ts';
import type { EventOf } from './events.ts';
import { replaceMessages, withFreshMessages } from './model/conversation.ts';

/** The photos of one screen fail together: what is asked for within this time is asked for once. */
const COLLECT_MS = 50;

/** Shows newer answers about known messages, wherever they are on the screen. */
function applyFreshMessages(state: ChatState, userId: string, fresh: readonly Message[]): ChatState {
  const next = changeConversation(state, userId, (conversation) => replaceMessages(conversation, fresh));
  const jump = next.jumps[userId];
  if (!jump?.segment) return next;
  const segment = { ...jump.segment, messages: withFreshMessages(jump.segment.messages, fresh) };
  return { ...next, jumps: { ...next.jumps, [userId]: { ...jump, segment } } };
}

const setRenewal = (state: ChatState, userId: string, renewal: Renewal): ChatState => ({
  ...state,
  renewals: { ...state.renewals, [userId]: renewal },
});

/** Reads a message again: links to files expire (R-FILE-7), and photos become proofs (docs/requirements.md R-CARD-32). */
export function renewMessage(state: ChatState, userId: string, messageId: string, now: Now): ChatState {
  const known = state.renewals[userId] ?? { number: 0, wantedIds: [], askedId: null, othersAtRequest: [] };
  if (known.wantedIds.includes(messageId)) return state;
  const next = setRenewal(state, userId, { ...known, wantedIds: [...known.wantedIds, messageId] });
  const isRunning = known.askedId !== null || hasTimer(next, 'renewMessages', userId);
  return isRunning ? next : setTimer(next, 'renewMessages', now.ms + COLLECT_MS, userId);
}

/** Asks for the first message; what is wanted from here on may have changed after this answer was made. */
export function askForMessages(state: ChatState, userId: string): ChatState {
  const renewal = state.renewals[userId];
  const [askedId, ...others] = renewal?.wantedIds ?? [];
  if (!renewal || askedId === undefined) return { ...state, renewals: withoutKey(state.renewals, userId) };
  return setRenewal(state, userId, { number: renewal.number + 1, wantedIds: [], askedId, othersAtRequest: others });
}

export function receiveRenewed(state: ChatState, { userId, messages }: EventOf<'call.messagesRenewed'>): ChatState {
  const renewal = state.renewals[userId];
  if (!renewal) return state;
  const next = applyFreshMessages(state, userId, messages);
  // One answer renews also what stands around that message.
  const renewed = new Set(messages.map(({ _id }) => _id));
  const left = renewal.othersAtRequest.filter((id) => !renewed.has(id));
  const wantedIds = [...new Set([...left, ...renewal.wantedIds])];
  return askForMessages(
    setRenewal(next, userId, { ...renewal, wantedIds, askedId: null, othersAtRequest: [] }),
    userId,
  );
}

/** The old links stay. */
export const failRenewal = (state: ChatState, userId: string): ChatState => ({
  ...state,
  renewals: withoutKey(state.renewals, userId),
});

function shownMessages(state: ChatState, userId: string): readonly Message[] {
  return [...conversationOf(state, userId).messages, ...(state.jumps[userId]?.segment?.messages ?? [])];
}

function renewWhere(state: ChatState, userId: string, isMeant: (message: Message) => boolean, now: Now): ChatState {
  return shownMessages(state, userId)
    .filter(isMeant)
    .reduce((next, { _id }) => renewMessage(next, userId, _id, now), state);
}

/** New messages of one conversation: a notice names the message with the photo that became a proof. */
export function renewNamedPhotos(state: ChatState, userId: string, fresh: readonly Message[], now: Now): ChatState {
  const named = new Set(
    fresh
      .filter(({ kind, reply_to: about }) => kind === 'notice' && about !== null)
      .map(({ reply_to: about }) => about),
  );
  if (named.size === 0) return state;
  return renewWhere(state, userId, ({ _id, attachments }) => attachments.length > 0 && named.has(_id), now);
}

/** A record has changed: its proof may be another one now. */
export function renewProofsOf(
  state: ChatState,
  { payload }: EventOf<'socket.tax-record:changed'>,
  now: Now,
): ChatState {
  const userId = conversationIdOf(state, payload.user_id);
  const names = ({ proof_of: of }: Attachment): boolean => of?.record_id === payload.id;
  return renewWhere(state, userId, ({ attachments }) => attachments.some(names), now);
}

/** A photo has become the proof of a record here: shows it before any answer of the server is read. */
export function showProof(state: ChatState, { userId, attachmentId, proofOf }: EventOf<'user.filesProof'>): ChatState {
  const isNamed = ({ id, proof_of: of }: Attachment): boolean =>
    id === attachmentId || of?.record_id === proofOf.record_id;
  const withMark = (message: Message): Message => ({
    ...message,
    attachments: message.attachments.map((file) =>
      isNamed(file) ? { ...file, proof_of: file.id === attachmentId ? proofOf : null } : file,
    ),
  });
  const changed = shownMessages(state, userId).filter(({ attachments }) => attachments.some(isNamed));
  return applyFreshMessages(state, userId, changed.map(withMark));
}
