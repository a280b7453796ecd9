import { join } from 'node:path';
import jwt from '@fastify/jwt';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { Server } from 'socket.io';

/**
 * The baseline for messages: one program that keeps the promises to whoever sends and reads messages, and nothing else. Fastify,
 * Socket.IO and prepared statements over the product's tables. It checks the token, the session's row and the rights,
 * validates, recognizes a repeated `client_id`, chains `prev_id`, counts unread messages, commits in groups that are on the
 * disk, publishes both events and answers. It has no search index, audit, pushes, claims, limits, metrics, log or layers.
 */
type User = { id: string; name: string; isAdmin: number };
type Session = User & { jti: string };
type Conversation = {
  userId: string;
  lastMessageId: number;
  userOrdinal: number;
  adminOrdinal: number;
  userReadOrdinal: number;
  adminReadOrdinal: number;
  unansweredSince: number | null;
};
type StoredMessage = {
  id: number;
  userId: string;
  senderId: string;
  senderName: string;
  fromAdmin: number;
  content: string;
  clientId: string | null;
  prevId: number | null;
  createdAt: number;
};
type SendBody = { to_user_id: string; content: string; client_id?: string };
type Job = { change: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

const IDLE_MAX_MS = 7 * 24 * 60 * 60 * 1000;
const MESSAGE_MAX = 2000;

const sqlite = new Database(join(process.env['DATA_DIR'] ?? '', 'pbb.sqlite'));
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = FULL');
sqlite.pragma('foreign_keys = ON');

// Two look-ups, because a join takes several times as long.
const findSession = sqlite.prepare<[string, number, number], { userId: string }>(
  'select user_id as userId from sessions where id = ? and expires_at > ? and last_seen_at > ?',
);
const findAccount = sqlite.prepare<[string], User>(
  'select id, name, is_admin as isAdmin from users where id = ? and is_active = 1',
);
const findUser = sqlite.prepare<[string], User>('select id, name, is_admin as isAdmin from users where id = ?');
const findConversation = sqlite.prepare<[string], Conversation>(
  `select user_id as userId, last_message_id as lastMessageId, user_ordinal as userOrdinal, admin_ordinal as adminOrdinal,
   user_read_ordinal as userReadOrdinal, admin_read_ordinal as adminReadOrdinal, unanswered_since as unansweredSince
   from conversations where user_id = ?`,
);
const findSent = sqlite.prepare<[string, string], StoredMessage>(
  `select id, user_id as userId, sender_id as senderId, sender_name as senderName, from_admin as fromAdmin, content,
   client_id as clientId, prev_id as prevId, created_at as createdAt from messages where sender_id = ? and client_id = ?`,
);
const insertMessage = sqlite.prepare(
  `insert into messages (user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, side_ordinal, created_at)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const advance = sqlite.prepare(
  'update conversations set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, unanswered_since = ? where user_id = ?',
);
const countUnread = sqlite
  .prepare<[], number>(
    'select coalesce(sum(user_ordinal - admin_read_ordinal), 0) from conversations where user_ordinal > admin_read_ordinal',
  )
  .pluck();
const begin = sqlite.prepare('begin immediate');
const commit = sqlite.prepare('commit');
const rollback = sqlite.prepare('rollback');
const savepoint = sqlite.prepare('savepoint job');
const release = sqlite.prepare('release job');
const rollbackJob = sqlite.prepare('rollback to job');

let queue: Job[] = [];

/** Runs all waiting changes in one transaction. */
function runBatch(): void {
  const jobs = queue;
  queue = [];
  const done: (() => void)[] = [];
  try {
    begin.run();
    for (const job of jobs) {
      savepoint.run();
      try {
        const value = job.change();
        done.push(() => job.resolve(value));
      } catch (error) {
        rollbackJob.run();
        done.push(() => job.reject(error));
      }
      release.run();
    }
    commit.run();
    for (const finish of done) finish();
  } catch (error) {
    if (sqlite.inTransaction) rollback.run();
    for (const { reject } of jobs) reject(error);
  }
}

function write<T>(change: () => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    queue.push({ change, resolve: resolve as (value: unknown) => void, reject });
    if (queue.length === 1) setImmediate(runBatch);
  });
}

class Refusal extends Error {
  readonly statusCode: number;
  constructor(statusCode: number) {
    super(`refused with ${statusCode}`);
    this.statusCode = statusCode;
  }
}

function liveSession(jti: string): Session {
  const now = Date.now();
  const found = findSession.get(jti, now, now - IDLE_MAX_MS);
  const account = found && findAccount.get(found.userId);
  if (!account) throw new Refusal(401);
  return { ...account, jti };
}

function store(session: Session, body: SendBody): { message: StoredMessage; isNew: boolean } {
  const before = body.client_id === undefined ? undefined : findSent.get(session.id, body.client_id);
  if (before) return { message: before, isNew: false };
  const receiver = findUser.get(body.to_user_id);
  if (!receiver) throw new Refusal(404);
  if (receiver.isAdmin === session.isAdmin) throw new Refusal(403);
  const conversation = findConversation.get(session.isAdmin ? receiver.id : session.id);
  if (!conversation) throw new Refusal(404);
  const { userId, lastMessageId, userOrdinal, adminOrdinal, unansweredSince } = conversation;
  const createdAt = Date.now();
  const clientId = body.client_id ?? null;
  const prevId = lastMessageId || null;
  const sideOrdinal = (session.isAdmin ? adminOrdinal : userOrdinal) + 1;
  const content = body.content.trim();
  const { lastInsertRowid } = insertMessage.run(
    userId, session.id, session.name, session.isAdmin, content, clientId, prevId, sideOrdinal, createdAt,
  ); // prettier-ignore
  const id = Number(lastInsertRowid);
  if (session.isAdmin) advance.run(id, userOrdinal, sideOrdinal, null, userId);
  else advance.run(id, sideOrdinal, adminOrdinal, unansweredSince ?? createdAt, userId);
  const sender = { senderId: session.id, senderName: session.name, fromAdmin: session.isAdmin };
  return { message: { id, userId, ...sender, content, clientId, prevId, createdAt }, isNew: true };
}

function present(row: StoredMessage) {
  const createdAt = new Date(row.createdAt).toISOString();
  return {
    id: String(row.id),
    _id: String(row.id),
    user_id: row.userId,
    sender_id: row.senderId,
    sender_name: row.senderName,
    from_admin: row.fromAdmin === 1,
    content: row.content,
    client_id: row.clientId,
    prev_id: row.prevId === null ? null : String(row.prevId),
    createdAt,
    created_at: createdAt,
  };
}

const text = { type: 'string' };
const messageSchema = {
  type: 'object',
  properties: {
    id: text, _id: text, user_id: text, sender_id: text, sender_name: text, from_admin: { type: 'boolean' }, content: text,
    client_id: { type: 'string', nullable: true }, prev_id: { type: 'string', nullable: true }, createdAt: text,
    created_at: text,
  },
}; // prettier-ignore
const answerSchema = {
  type: 'object',
  properties: { success: { type: 'boolean' }, message: text, data: messageSchema },
};
const bodySchema = {
  type: 'object',
  required: ['to_user_id', 'content'],
  properties: {
    to_user_id: { type: 'string', minLength: 1 },
    content: { type: 'string', minLength: 1, maxLength: MESSAGE_MAX, pattern: '\\S' },
    client_id: { type: 'string', pattern: '^[\\x21-\\x7e]{1,64}$' },
  },
};

const app = Fastify({ bodyLimit: 1_048_576 });
await app.register(jwt, {
  secret: process.env['JWT_SECRET'] ?? '',
  verify: { algorithms: ['HS256'], cache: true },
});
const io = new Server(app.server, {
  path: '/socket.io',
  serveClient: false,
  maxHttpBufferSize: 16_384,
  pingInterval: 10_000,
  pingTimeout: 8000,
});
const chat = io.of('/chat');
chat.use((socket, next) => {
  try {
    const { jti } = app.jwt.verify<{ jti: string }>(String(socket.handshake.auth['token']));
    const session = liveSession(jti);
    void socket.join(session.isAdmin ? [`user:${session.id}`, 'admins'] : [`user:${session.id}`, 'users']);
    next();
  } catch {
    next(new Error('unauthorized'));
  }
});

let pendingUnread = new Set<string>();

/** After the events of one commit: the counts as they are now. */
function publishUnread(): void {
  const changed = pendingUnread;
  pendingUnread = new Set();
  const total = countUnread.get() ?? 0;
  for (const key of changed) {
    const forAdmins = key.startsWith('a');
    const userId = key.slice(1);
    const row = findConversation.get(userId);
    if (!row) continue;
    const unread = forAdmins ? row.userOrdinal - row.adminReadOrdinal : row.adminOrdinal - row.userReadOrdinal;
    const payload = { user_id: userId, unread_count: unread, total_unread: forAdmins ? total : unread };
    chat.to(forAdmins ? 'admins' : `user:${userId}`).emit('unread', payload);
  }
}

app.post<{ Body: SendBody }>(
  '/api/messages/send',
  { schema: { body: bodySchema, response: { '2xx': answerSchema } } },
  async (request, reply) => {
    const { jti } = await request.jwtVerify<{ jti: string }>();
    const session = liveSession(jti);
    const { message, isNew } = await write(() => store(session, request.body));
    const data = present(message);
    if (isNew) {
      chat.to([`user:${message.userId}`, 'admins']).emit('message:new', data);
      if (pendingUnread.size === 0) queueMicrotask(publishUnread);
      pendingUnread.add(`${message.fromAdmin === 1 ? 'u' : 'a'}${message.userId}`);
    }
    return reply.code(isNew ? 201 : 200).send({ success: true, message: 'Pesan terkirim', data });
  },
);

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
process.on('SIGTERM', () => process.exit(0));
