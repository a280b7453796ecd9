import type { ChatState } from '../state/chat-state.ts';
import { isAdmin } from '../state/chat-state.ts';
import { readUserId } from '../state/reading.ts';
import { describeViewing } from '../state/viewing.ts';
import { requirePeerId } from './contact.ts';
import type { Effect, JobContext, Mirror, Ports } from './runner.ts';

/** Reports to the server what reached this page, what was read in it, what is on its screen, and who types. */

type Marking = NonNullable<ChatState['reading']['marking']>;

async function markSeen({ userId, upTo }: Marking, context: JobContext): Promise<void> {
  try {
    const { unread_count } = await context.api.markSeen(await requirePeerId(userId, context), upTo);
    context.report({ type: 'call.seen', unreadCount: unread_count });
  } catch {
    context.report({ type: 'call.seenFailed' });
  }
}

/** Marks messages as read. */
export const seenCalls: Effect<Marking> = {
  wanted: ({ reading: { marking } }) => (marking ? [[`${marking.userId} ${marking.upTo}`, marking]] : []),
  run: markSeen,
};

type Viewing = ReturnType<typeof describeViewing>;

async function reportViewing(viewing: Viewing, { connection, signal, report }: JobContext): Promise<void> {
  // Several changes at once are one event, so that an admin who changes the conversation does not seem to leave.
  await Promise.resolve();
  if (signal.aborted) return;
  connection.socket.emit('viewing', viewing);
  report({ type: 'done.viewingReported', viewing: JSON.stringify(viewing) });
}

/** Reports which conversations are on the screen. */
export const viewingReports: Effect<Viewing> = {
  wanted(state) {
    const viewing = describeViewing(state);
    const key = JSON.stringify(viewing);
    return state.isConnected && key !== state.reportedViewing ? [[key, viewing]] : [];
  },
  run: reportViewing,
};

/** Reports the messages that have reached a visible tab. */
export const mirrorDelivered: Mirror = (state, before, { connection }) => {
  const { deliveredUpTo } = state.reading;
  if (deliveredUpTo === before.reading.deliveredUpTo) return;
  for (const [userId, upTo] of Object.entries(deliveredUpTo)) {
    if (upTo === before.reading.deliveredUpTo[userId]) continue;
    connection.socket.emit('delivered', { ...(isAdmin(state) ? { user_id: userId } : {}), up_to: String(upTo) });
  }
};

function emitTyping(userId: string, typing: boolean, state: ChatState, { connection }: Ports): void {
  if (!connection.socket.connected) return;
  connection.socket.emit('typing', isAdmin(state) ? { user_id: userId, typing } : { typing });
}

export const mirrorTyping: Mirror = (state, before, ports) => {
  const [now, then] = [state.ownTyping, before.ownTyping];
  if (now === then) return;
  if (then && then.userId !== now?.userId) emitTyping(then.userId, false, state, ports);
  if (now) emitTyping(now.userId, true, state, ports);
};

/** Asks for a new connection, or takes the present one for dead. */
export const mirrorReconnection: Mirror = (state, before, { connection }) => {
  if (state.reconnection.wishes > before.reconnection.wishes) connection.ensureConnected();
  if (state.reconnection.doubts > before.reconnection.doubts) connection.reconnectIfStale();
};

/** Tells the notifications what is being read, what was read, and whether the inbox is on the screen. */
export const mirrorReading: Mirror = (state, before, { notifier }) => {
  const userId = readUserId(state);
  if (userId !== readUserId(before)) notifier.setReading(userId);
  const isListShown = Object.keys(state.listSync.shown).length > 0;
  if (isListShown !== Object.keys(before.listSync.shown).length > 0) notifier.setListOnScreen(isListShown);
  const { readUpTo } = state.reading;
  if (readUpTo === before.reading.readUpTo) return;
  for (const [id, upTo] of Object.entries(readUpTo)) {
    if (upTo !== before.reading.readUpTo[id]) notifier.seen(id, upTo);
  }
};
