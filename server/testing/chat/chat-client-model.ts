import type { Message } from '#shared/api/chat/chat.ts';
import type { Cursor } from '#shared/events.ts';
import type { SignedInUser } from '../factories.ts';
import type { Tab } from '../sockets.ts';
import type { ChatApp } from './chat-app.ts';

type CursorIds = { user_seen_id: number; admin_seen_id: number; user_delivered_id: number; admin_delivered_id: number };
type ConversationState = { messages: Map<string, Message>; cursors: CursorIds; unread: number };

const emptyConversationState = (): ConversationState => ({
  messages: new Map(),
  cursors: { user_seen_id: 0, admin_seen_id: 0, user_delivered_id: 0, admin_delivered_id: 0 },
  unread: 0,
});

/** The state of one tab, made from one load and the events since: the simplest client that R-EVENT-8 allows. */
export class ClientModel {
  private conversationStates = new Map<string, ConversationState>();
  private totalUnread = 0;
  private appliedCount = 0;

  /** Loads everything that the user may see, as at start and after every reconnect. */
  static async load(
    chat: ChatApp,
    currentUser: SignedInUser,
    users: SignedInUser[],
    admin: SignedInUser,
  ): Promise<ClientModel> {
    const model = new ClientModel();
    const list = await chat.list(currentUser, '?limit=100');
    model.totalUnread = list.total_unread;
    for (const user of currentUser.isAdmin ? users : [currentUser]) {
      const loaded = await chat.history(currentUser, currentUser.isAdmin ? user.id : admin.id, '?limit=200');
      const state = model.conversationState(user.id);
      for (const message of loaded.messages) state.messages.set(message.id, message);
      for (const key of Object.keys(state.cursors) as (keyof CursorIds)[]) state.cursors[key] = Number(loaded[key]);
      const row = list.data.find(({ other_user }) => !currentUser.isAdmin || other_user.id === user.id);
      state.unread = row?.unread_count ?? 0;
    }
    return model;
  }

  /** Applies the events that a tab received since the last call. */
  applyEvents(tab: Tab): void {
    for (const { event, payload } of tab.received().slice(this.appliedCount)) {
      if (event === 'message:new') this.conversationState(payload.user_id).messages.set(payload.id, payload);
      if (event === 'conversation:deleted') this.conversationState(payload.user_id).messages.clear();
      if (event === 'conversation:seen') this.moveCursor('seen', payload);
      if (event === 'conversation:delivered') this.moveCursor('delivered', payload);
      if (event === 'unread') {
        this.conversationState(payload.user_id).unread = payload.unread_count;
        this.totalUnread = payload.total_unread;
      }
    }
    this.appliedCount = tab.received().length;
  }

  /** Only events after those that the tab has received so far are applied to it. */
  continueAfter(tab: Tab): this {
    this.appliedCount = tab.received().length;
    return this;
  }

  /** The unread messages, by conversation and of all. */
  counts(): unknown {
    const ofUsers = Array.from(this.conversationStates, ([userId, { unread }]) => [userId, unread] as const);
    return { total: this.totalUnread, ...Object.fromEntries(ofUsers) };
  }

  /** The whole state in a form in which two clients can be compared: conversations by latest activity. */
  snapshot(): unknown {
    const conversations = Array.from(this.conversationStates, ([userId, { messages, cursors, unread }]) => {
      const inOrder = [...messages.values()].toSorted((a, b) => Number(a.id) - Number(b.id));
      return { userId, last: Number(inOrder.at(-1)?.id ?? 0), messages: inOrder, cursors, unread };
    });
    conversations.sort((a, b) => b.last - a.last || (a.userId < b.userId ? 1 : -1));
    return { totalUnread: this.totalUnread, conversations };
  }

  private moveCursor(kind: 'seen' | 'delivered', { user_id, by, up_to }: Cursor): void {
    const { cursors } = this.conversationState(user_id);
    cursors[`${by}_${kind}_id`] = Math.max(cursors[`${by}_${kind}_id`], Number(up_to));
  }

  private conversationState(userId: string): ConversationState {
    const state = this.conversationStates.get(userId) ?? emptyConversationState();
    this.conversationStates.set(userId, state);
    return state;
  }
}
