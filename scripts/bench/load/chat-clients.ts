import { io, type Socket } from 'socket.io-client';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import type { LoadTarget } from './load-process.ts';
import { sendRequest } from '../requests.ts';
import type { BenchUser } from '../seed-data.ts';

type OutgoingMessage = { to_user_id: string; content: string; client_id: string };
type ServerEvents = { 'message:new': (message: { content: string }) => void };
type ClientEvents = { message: (message: OutgoingMessage, acknowledge: () => void) => void };
type ChatSocket = Socket<ServerEvents, ClientEvents>;
export type ChatClients = {
  /** Resolves when the server has acknowledged the message. */
  sendMessage: (sender: number, content: string) => Promise<unknown>;
  /** Calls the listener with each message that the admin's socket receives. */
  onAdminMessage: (listener: (content: string) => void) => void;
  close: () => void;
};

const CONNECT_CONCURRENCY = 50;
const CONNECT_TIMEOUT_MS = 20_000;

function connect(url: string, auth: Record<string, unknown>): Promise<ChatSocket> {
  const socket: ChatSocket = io(`${url}${REALTIME_NAMESPACE}`, {
    auth,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });
}

/** Opens one socket per user, at most `CONNECT_CONCURRENCY` at the same time. */
export async function connectUsers(
  url: string,
  users: BenchUser[],
  authOf: (user: BenchUser) => Record<string, unknown>,
): Promise<ChatSocket[]> {
  const sockets: ChatSocket[] = [];
  for (let from = 0; from < users.length; from += CONNECT_CONCURRENCY) {
    const batch = users.slice(from, from + CONNECT_CONCURRENCY);
    sockets.push(...(await Promise.all(batch.map((user) => connect(url, authOf(user))))));
  }
  return sockets;
}

/** Connects every sender and one admin, who receives every conversation. The baseline `insert` has no sockets. */
export async function openChatClients(target: LoadTarget): Promise<ChatClients> {
  const { kind, url, admin, senders } = target;
  const messageTo = (content: string): OutgoingMessage => ({
    to_user_id: admin.id,
    content,
    client_id: crypto.randomUUID(),
  });
  const sendOverRest = (sender: number, content: string): Promise<unknown> => {
    const token = senders[sender]?.token ?? '';
    return sendRequest(url, { method: 'POST', path: '/api/messages/send', token, body: messageTo(content) });
  };
  if (kind === 'insert') return { sendMessage: sendOverRest, onAdminMessage: () => undefined, close: () => undefined };

  const adminSocket = await connect(
    url,
    kind === 'server' ? { token: admin.token } : { rooms: senders.map(({ id }) => id) },
  );
  const userSockets = await connectUsers(url, senders, ({ id, token }) =>
    kind === 'server' ? { token } : { rooms: [id], room: id },
  );
  const sendOverSocket = (sender: number, content: string): Promise<unknown> =>
    new Promise<void>((resolve) => {
      userSockets[sender]?.emit('message', messageTo(content), resolve);
    });
  return {
    sendMessage: kind === 'server' ? sendOverRest : sendOverSocket,
    onAdminMessage: (listener) => void adminSocket.on('message:new', ({ content }) => listener(content)),
    close: () => {
      for (const socket of [adminSocket, ...userSockets]) socket.disconnect();
    },
  };
}
