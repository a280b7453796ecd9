import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ChatApp } from './chat-app.ts';
import type { SignedInUser } from '../factories.ts';
import type { Tab } from '../sockets.ts';

type Row = Required<Pick<ConversationSummary, 'state' | 'claimed_by' | 'snoozed_until'>> & {
  unanswered_since: string | null;
  unread: number;
  lastId: string | null;
};
type Counts = { waiting: number; unread: number; snoozed: number; mine: number };

function rowOf({
  state,
  claimed_by,
  snoozed_until,
  unanswered_since,
  unread_count,
  last_message,
}: ConversationSummary): Row {
  if (state === undefined || claimed_by === undefined || snoozed_until === undefined) throw new Error('no state');
  return { state, claimed_by, snoozed_until, unanswered_since, unread: unread_count, lastId: last_message?.id ?? null };
}

/** The inbox of one tab of an admin, made from one load and the events since: the simplest client that R-INBOX-9 allows. */
export class InboxModel {
  private readonly admin: SignedInUser;
  private readonly rows = new Map<string, Row>();
  private appliedCount = 0;
  /** As the server counts. */
  private loadedCounts: Counts = { waiting: 0, unread: 0, snoozed: 0, mine: 0 };

  private constructor(admin: SignedInUser) {
    this.admin = admin;
  }

  /** Loads everything, as at start and after every reconnect. */
  static async load(chat: ChatApp, admin: SignedInUser): Promise<InboxModel> {
    const model = new InboxModel(admin);
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const list = await chat.list(admin, `?all=1&limit=100&page=${page}`);
      for (const row of list.data) model.rows.set(row.other_user.id, rowOf(row));
      hasMore = list.has_more;
      model.loadedCounts = (list as typeof list & { counts: Counts }).counts;
    }
    return model;
  }

  /** Applies the events that a tab received since the last call. */
  applyEvents(tab: Tab): void {
    const received = tab.received();
    for (const { event, payload } of received.slice(this.appliedCount)) {
      if (event === 'conversation:state') {
        const { user_id, ...state } = payload;
        this.change(user_id, state);
      }
      if (event === 'message:new') this.change(payload.user_id, { lastId: payload.id });
      if (event === 'conversation:deleted') this.change(payload.user_id, { lastId: null });
      if (event === 'unread') this.change(payload.user_id, { unread: payload.unread_count });
    }
    this.appliedCount = received.length;
  }

  rowsById = (): Record<string, Row> => Object.fromEntries(this.rows);
  countsOfServer = (): Counts => this.loadedCounts;
  countsOfRows(): Counts {
    const rows = [...this.rows.values()];
    return {
      waiting: rows.filter(({ state }) => state === 'waiting').length,
      unread: rows.filter(({ unread }) => unread > 0).length,
      snoozed: rows.filter(({ state }) => state === 'snoozed').length,
      mine: rows.filter(({ claimed_by }) => claimed_by?.id === this.admin.id).length,
    };
  }

  private change(userId: string, change: Partial<Row>): void {
    const row = this.rows.get(userId);
    if (row) Object.assign(row, change);
  }
}
