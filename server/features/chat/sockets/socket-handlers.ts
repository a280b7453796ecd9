import type { ServiceContext } from '#server/service-context.ts';
import type { OnConnection } from '#server/realtime/namespace.ts';
import { sideOf, type ChatCursors } from '../cursors.ts';
import { chatQueries } from '../queries.ts';
import type { ConversationWatch } from '../conversation-watch.ts';
import type { Viewers } from './viewers.ts';

/**
 * Socket.IO's names for the end of a connection that neither the page nor the server ended. Either no sign of life came, as
 * when a phone leaves its network, or the connection broke, as when the phone ends the browser.
 */
const PAGE_LOST = ['ping timeout', 'transport close', 'transport error'];

type SocketDeps = {
  viewers: Viewers;
  watch: Pick<ConversationWatch, 'viewerLost'>;
  /** Called before the presence counts the socket. */
  onAdminConnect: () => void;
};

/** Binds the chat's client events to every socket that connects (R-EVENT-4, R-EVENT-6). */
export function registerSocketHandlers(
  onConnection: OnConnection,
  { orm, publish }: Pick<ServiceContext, 'orm' | 'publish'>,
  cursors: ChatCursors,
  { viewers, watch, onAdminConnect }: SocketDeps,
): void {
  /** Each process tells its own sockets, from what it knows of all. */
  const publishViewers = (userId: string): void =>
    publish.here.toAdmins('viewing', { user_id: userId, viewers: viewers.viewersOf(userId) });
  viewers.onChangedElsewhere((userIds) => new Set(userIds).forEach(publishViewers));

  onConnection((socket, onClientEvent) => {
    /** The conversation that an event is about: a user's own, whatever it names; for an admin that of the named user. */
    async function findConversationUserId(userId: string | undefined): Promise<string | null> {
      const { currentUser } = socket.data;
      if (!currentUser.isAdmin) return currentUser.id;
      if (userId === undefined) return null;
      const user = await chatQueries(orm).findUser(userId);
      return user && !user.isAdmin ? user.id : null;
    }

    const { isAdmin } = socket.data.currentUser;
    if (isAdmin) onAdminConnect();
    viewers.enter(socket.id, socket.data.currentUser);
    socket.on('disconnect', (reason) => {
      const { viewedUserIds, isVisible } = viewers.leave(socket.id);
      if (isAdmin) for (const userId of viewedUserIds) publishViewers(userId);
      if (isVisible && PAGE_LOST.includes(reason)) watch.viewerLost(socket.data.currentUser.id, viewedUserIds);
    });
    onClientEvent('typing', async (payload) => {
      const userId = await findConversationUserId(payload.user_id);
      if (userId === null) return;
      const { currentUser } = socket.data;
      const typing = { user_id: userId, sender_id: currentUser.id, name: currentUser.name, typing: payload.typing };
      // The other admins see it too, so that no two of them answer at once.
      publish.toUserAndAdmins(userId, 'typing', typing, currentUser.id);
    });
    onClientEvent('viewing', async (payload) => {
      const { currentUser } = socket.data;
      const { open } = payload;
      if (!currentUser.isAdmin) {
        viewers.setViewing(socket.id, currentUser, open ? [currentUser.id] : [], open === true);
        return;
      }
      const named = new Set([payload.user_id ?? [], payload.user_ids ?? []].flat());
      const found = await Promise.all(Array.from(named, findConversationUserId));
      const userIds = found.filter((userId) => userId !== null);
      const previousUserIds = viewers.setViewing(socket.id, currentUser, userIds, open !== false);
      for (const changedUserId of new Set([...previousUserIds, ...userIds])) publishViewers(changedUserId);
    });
    onClientEvent('delivered', async (payload) => {
      const userId = await findConversationUserId(payload.user_id);
      if (userId === null) return;
      await cursors.deliver(userId, sideOf(socket.data.currentUser), Number(payload.up_to));
    });
  });
}
