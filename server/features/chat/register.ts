import type { FastifyInstance } from 'fastify';
import { chatCalls } from '#shared/api/calls/chat.ts';
import type { Attachment } from '#shared/api/chat/chat.ts';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import type { OfficePeriod } from '#shared/domain/dates/dates.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { repeatAfterListen, runWhenLeading } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { OnConnection } from '#server/realtime/namespace.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { CreateLink, UploadLinks } from '#server/uploads/upload-links.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { sideOf } from './cursors.ts';
import { createAttachmentService } from './files/attachment-service.ts';
import { findSent, storeProofCopy } from './files/attachment-queries.ts';
import { presentAttachment } from './files/present-attachment.ts';
import { createNoteService } from './notes/note-service.ts';
import { chatQueries } from './queries.ts';
import { chatRoutes } from './routes.ts';
import { createChatService } from './service.ts';
import { createConversationStates } from './state/state-service.ts';
import { createMessageIndexer } from './search/indexer.ts';
import type { MessageDeps } from './sending/new-message.ts';
import { type StoreNotice, storeNotice } from './sending/notices.ts';
import { followOtherProcesses } from './sending/other-processes.ts';
import { createSend } from './sending/send.ts';
import { createUnreadCounts } from './unread.ts';
import { createMessageSearch } from './search/search-service.ts';
import { registerSocketHandlers } from './sockets/socket-handlers.ts';
import { createConversationWatch } from './conversation-watch.ts';
import { createViewers } from './sockets/viewers.ts';
import { createTranscriptService } from './transcript/transcript-service.ts';
import type { encodeConversationsAnswer, encodeHistoryAnswer } from './list-answers.ts';
import type { encodeNotesAnswer } from './notes/note-answers.ts';
import type { encodeMessageSearchAnswer } from './search/search-answers.ts';
import type { encodeTranscriptAnswer } from './transcript/transcript-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    conversations: typeof encodeConversationsAnswer;
    history: typeof encodeHistoryAnswer;
    messageSearch: typeof encodeMessageSearchAnswer;
    notes: typeof encodeNotesAnswer;
    transcript: typeof encodeTranscriptAnswer;
  }
}

const SWEEP_INTERVAL_MS = 15 * MINUTE_MS;
/** A claim or snooze that ends by itself is published within about this time. */
const DUE_INTERVAL_MS = 1000;

/** @throws 404 while there is no active admin */
type RequireContactAdmin = () => Promise<{ id: string; name: string }>;

type ChatDeps = FeatureDeps & {
  requireContactAdmin: RequireContactAdmin;
  /** Reads how quickly messages were answered; the office knows the opening hours. */
  readStatistics: (period: OfficePeriod, adminId: string) => Promise<ChatStatistics>;
  /** Called after each commit that may have changed which users wait for an answer. */
  onWaitingChanged: () => void;
  uploads: UploadFiles;
  links: UploadLinks;
};

/** Adds the conversations. @returns what the namespace and other features need */
export async function registerChat(
  app: FastifyInstance,
  { context, guards, requireContactAdmin, onWaitingChanged, readStatistics, uploads, links }: ChatDeps,
) {
  const { processes } = context;
  const states = await createConversationStates(context, onWaitingChanged);
  const indexer = createMessageIndexer(app, context);
  const watch = createConversationWatch();
  const viewers = createViewers(processes);
  const unread = createUnreadCounts(context, watch, (error) =>
    app.log.error({ err: error }, 'unread counts were not published'),
  );
  app.addHook('preClose', async () => unread.close());
  const messages: MessageDeps = { context, states, unread, watch, indexer, links };
  followOtherProcesses(messages);
  const send = createSend(messages);
  const noticeStore: StoreNotice = (tx, notice) => storeNotice(messages, tx, notice);
  const attachments = createAttachmentService(context, uploads);
  const chat = createChatService(context, states, requireContactAdmin, unread, attachments);
  const notes = createNoteService(context);
  const transcripts = createTranscriptService(context);
  const search = createMessageSearch(context);
  const services = { chat, send, attachments, links, notes, transcripts, states, search, readStatistics };
  serveCalls(app, guards, chatCalls, chatRoutes(services));
  repeatAfterListen(
    app,
    processes,
    SWEEP_INTERVAL_MS,
    (mayContinue) => attachments.sweep(mayContinue),
    'files of deleted or unsent messages were not removed',
  );
  repeatAfterListen(app, processes, DUE_INTERVAL_MS, states.endDue, 'claims and snoozes could not be ended');
  runWhenLeading(
    app,
    processes,
    (mayContinue) => chat.finishClears(mayContinue),
    'interrupted deletions of histories were not finished',
  );
  return {
    /** Called before the server listens. */
    bindClientEvents: (onConnection: OnConnection) =>
      registerSocketHandlers(onConnection, context, chat.cursors, {
        viewers,
        watch,
        onAdminConnect: states.noteAbsences,
      }),
    /** Updates the inbox after an account was deleted or changed its role. */
    notifyInbox: (userId: string) => chat.accountChanged(userId),
    /** Deletes the messages of all conversations up to one. */
    clearOlder: (...input: Parameters<typeof chat.clearOlder>) => chat.clearOlder(...input),
    /** Writes a notice into a conversation, inside the transaction of the change that it describes. */
    storeNotice: noticeStore,
    /** A file in a conversation, with the user whose conversation it is; null for one that waits to be sent or is gone. */
    findSentImage: findSent,
    /** Notes the copy of such a file that became a proof, inside the transaction of that change. */
    storeProofCopy,
    /** Files in conversations, by their ids. */
    readSentFiles: async (ids: readonly string[], linkFor: CreateLink): Promise<Map<string, Attachment>> => {
      const found = new Map<string, Attachment>();
      for (const id of ids) {
        const file = await findSent(context.orm, id);
        if (file) found.set(id, presentAttachment(file, linkFor));
      }
      return found;
    },
    /** For notifications on devices without an open page, and for answers from them. */
    messages: {
      listen: watch.listen,
      isViewing: viewers.isViewing,
      isConnected: viewers.isConnected,
      hasMessage: async (userId: string, messageId: number): Promise<boolean> => {
        const { findConversation, findMessage } = chatQueries(context.orm);
        if ((await findMessage(messageId))?.userId !== userId) return false;
        return messageId > ((await findConversation(userId))?.clearedId ?? messageId);
      },
      send,
      markSeen: (currentUser: CurrentUser, userId: string, upTo: number): Promise<number> =>
        chat.cursors.see(userId, sideOf(currentUser), upTo, (tx) => context.policy.requireLiveSession(tx, currentUser)),
      countUnread: ({ id, isAdmin }: Pick<CurrentUser, 'id' | 'isAdmin'>): Promise<number> =>
        unread.total(id, isAdmin ? 'admin' : 'user'),
    },
  };
}
