import type { ChatState, Now } from './chat-state.ts';
import type { ChatEvent, EventOf, ListEventType } from './events.ts';
import { failCount, receiveCounts, recount } from './list-counts.ts';
import {
  failRows,
  hideList,
  listDeletion,
  listMessage,
  listNotes,
  listState,
  listUnread,
  listUnreadChanges,
  listUserChange,
  pollLists,
  readMoreRows,
  receiveRows,
  receiveTotals,
  refreshList,
  reloadChanged,
  reloadLists,
  retryFailedLists,
  showList,
} from './list-sync.ts';
import { applyMessageToList, applyUnreadToList } from './model/conversation-list.ts';
import { scheduleReceipts } from './reading.ts';
import { isAnswerCurrent } from './sending.ts';
import { askForSummaries, failSummaries, receiveSummaries, unwatchSummary, watchSummary } from './summary-reload.ts';
import { handle, type Handlers, update } from './update.ts';

/** The list of an admin, apart from `update`: the first page of a user comes without this code. */

/** The `unread` event brings the same counts, but there may be no socket. */
function listSeen(state: ChatState, userId: string, unreadCount: number): ChatState {
  const { list } = state;
  const before = list.entries[userId]?.summary.unread_count ?? unreadCount;
  if (before === unreadCount) return state;
  const total = Math.max(0, (list.totalUnread ?? before) - (before - unreadCount));
  const unread = { user_id: userId, unread_count: unreadCount, total_unread: total };
  return { ...state, list: applyUnreadToList(list, unread) };
}

function passTime(state: ChatState, { name }: EventOf<'time'>, now: Now): ChatState {
  if (name === 'pollList') return pollLists(state, now);
  if (name === 'retryFailed') return retryFailedLists(state);
  if (name === 'recount') return recount(state, now);
  return name === 'reloadSummaries' ? askForSummaries(state) : state;
}

type AlsoListed =
  | 'socket.message:new'
  | 'socket.unread'
  | 'socket.conversation:deleted'
  | 'call.historyDeleted'
  | 'time';

/** The change of the list by each event. */
const handlers: Handlers<ListEventType | AlsoListed> = {
  'socket.message:new': listMessage,
  'socket.conversation:deleted': listDeletion,
  'socket.unread': listUnread,
  'socket.unread:changes': listUnreadChanges,
  'socket.conversation:state': (state, event, now) => listState(state, event.payload, now),
  'socket.note:changed': listNotes,
  'socket.user:changed': listUserChange,

  'call.listLoaded': receiveRows,
  'call.listFailed': failRows,
  'call.counted': receiveCounts,
  'call.countFailed': failCount,
  'call.summariesLoaded': receiveSummaries,
  'call.summariesFailed': failSummaries,
  'call.totalsLoaded': receiveTotals,
  'call.historyDeleted': (state, { userId }, now) => reloadChanged(state, userId, now),

  'user.showsList': showList,
  'user.hidesList': hideList,
  'user.reloadsList': (state, event) => refreshList(state, event.filter),
  'user.readsMoreRows': readMoreRows,
  'user.watchesSummary': watchSummary,
  'user.unwatchesSummary': unwatchSummary,
  'user.changedState': (state, event, now) => listState(state, event.update, now),

  time: passTime,
};

/** Takes the answers to calls about one conversation into the list. @param before the state that they met */
function listAnswer(state: ChatState, before: ChatState, event: ChatEvent): ChatState {
  const { marking } = before.reading;
  if (event.type === 'call.seen' && marking) return listSeen(state, marking.userId, event.unreadCount);
  if (event.type !== 'call.sent' || !isAnswerCurrent(before, event.userId)) return state;
  return { ...state, list: applyMessageToList(state.list, event.message) };
}

/** As `update`, with the list. */
export function updateAdmin(before: ChatState, event: ChatEvent, now: Now): ChatState {
  const updated = update(before, event, now);
  const answered = listAnswer(handle(handlers, updated, event, now), before, event);
  const listed = updated.catchUpCount === before.catchUpCount ? answered : reloadLists(answered, now);
  return listed.list === before.list ? listed : scheduleReceipts(listed, now);
}
