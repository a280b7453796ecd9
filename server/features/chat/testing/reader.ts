import type { Message } from '#shared/api/chat.ts';
import type { Cursor } from '#shared/chat-events.ts';
import type { Person } from '#server/testing/factories.ts';
import type { Tab } from '#server/testing/sockets.ts';
import type { Chat } from './chat.ts';

type Cursors = { user_seen_id: number; admin_seen_id: number; user_delivered_id: number; admin_delivered_id: number };
type Screen = { messages: Map<string, Message>; cursors: Cursors; unread: number };

const blank = (): Screen => ({
  messages: new Map(),
  cursors: { user_seen_id: 0, admin_seen_id: 0, user_delivered_id: 0, admin_delivered_id: 0 },
  unread: 0,
});

/** What one tab shows, kept from a load and the pushes since: the plainest reader that contract 5 allows; for tests. */
export class Reader {
  private screens = new Map<string, Screen>();
  private total = 0;
  private folded = 0;

  /** Loads everything a viewer can see, as at start and after every reconnect. */
  static async load(chat: Chat, viewer: Person, residents: Person[], admin: Person): Promise<Reader> {
    const reader = new Reader();
    const list = await chat.list(viewer, '?limit=100');
    reader.total = list.total_unread;
    for (const resident of viewer.isAdmin ? residents : [viewer]) {
      const loaded = await chat.history(viewer, viewer.isAdmin ? resident.id : admin.id, '?limit=200');
      const screen = reader.screen(resident.id);
      for (const message of loaded.messages) screen.messages.set(message.id, message);
      for (const key of Object.keys(screen.cursors) as (keyof Cursors)[]) screen.cursors[key] = Number(loaded[key]);
      const row = list.data.find(({ other_user }) => !viewer.isAdmin || other_user.id === resident.id);
      screen.unread = row?.unread_count ?? 0;
    }
    return reader;
  }

  /** Takes in what a tab heard since the last time. */
  fold(tab: Tab): void {
    for (const { event, payload } of tab.heard().slice(this.folded)) {
      if (event === 'message:new') this.screen(payload.user_id).messages.set(payload.id, payload);
      if (event === 'conversation:deleted') this.screen(payload.user_id).messages.clear();
      if (event === 'conversation:seen') this.move('seen', payload);
      if (event === 'conversation:delivered') this.move('delivered', payload);
      if (event === 'unread') {
        this.screen(payload.user_id).unread = payload.unread_count;
        this.total = payload.total_unread;
      }
    }
    this.folded = tab.heard().length;
  }

  /** Everything it shows, in a form that two readers can be compared by: conversations by latest activity. */
  shown(): unknown {
    const conversations = Array.from(this.screens, ([userId, { messages, cursors, unread }]) => {
      const inOrder = [...messages.values()].toSorted((a, b) => Number(a.id) - Number(b.id));
      return { userId, last: Number(inOrder.at(-1)?.id ?? 0), messages: inOrder, cursors, unread };
    });
    conversations.sort((a, b) => b.last - a.last || (a.userId < b.userId ? 1 : -1));
    return { total: this.total, conversations };
  }

  private move(kind: 'seen' | 'delivered', { user_id, by, up_to }: Cursor): void {
    const { cursors } = this.screen(user_id);
    cursors[`${by}_${kind}_id`] = Math.max(cursors[`${by}_${kind}_id`], Number(up_to));
  }

  private screen(userId: string): Screen {
    const screen = this.screens.get(userId) ?? blank();
    this.screens.set(userId, screen);
    return screen;
  }
}
