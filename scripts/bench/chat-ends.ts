import { io, type Socket } from 'socket.io-client';
import { CHAT_NAMESPACE } from '#shared/chat-events.ts';
import type { Target } from './chat-load-process.ts';
import { send } from './measure.ts';
import type { Person } from './office-data.ts';

type Message = { to_user_id: string; content: string; client_id: string };
type Told = { 'message:new': (message: { content: string }) => void };
type Said = { message: (message: Message, done: () => void) => void };
type ChatSocket = Socket<Told, Said>;
export type Ends = {
  /** Resolves when the message was acknowledged. */
  say: (sender: number, content: string) => Promise<unknown>;
  /** The office's screen. */
  onScreen: (listener: (content: string) => void) => void;
  close: () => void;
};

const CONNECT_AT_ONCE = 50;
const CONNECT_WITHIN_MS = 20_000;

function connect(url: string, auth: Record<string, unknown>): Promise<ChatSocket> {
  const socket: ChatSocket = io(`${url}${CHAT_NAMESPACE}`, {
    auth,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: CONNECT_WITHIN_MS,
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });
}

/** One socket for each resident, a few at a time. */
export async function connectResidents(
  url: string,
  residents: Person[],
  introduce: (resident: Person) => Record<string, unknown>,
): Promise<ChatSocket[]> {
  const sockets: ChatSocket[] = [];
  for (let from = 0; from < residents.length; from += CONNECT_AT_ONCE) {
    const some = residents.slice(from, from + CONNECT_AT_ONCE);
    sockets.push(...(await Promise.all(some.map((resident) => connect(url, introduce(resident))))));
  }
  return sockets;
}

/** The senders, each with a tab open, and the desk that sees every conversation; the bare insert has no sockets. */
export async function openEnds(target: Target): Promise<Ends> {
  const { kind, url, desk, senders } = target;
  const messageTo = (content: string): Message => ({ to_user_id: desk.id, content, client_id: crypto.randomUUID() });
  const post = (sender: number, content: string): Promise<unknown> => {
    const token = senders[sender]?.token ?? '';
    return send(url, { method: 'POST', path: '/api/messages/send', token, body: messageTo(content) });
  };
  if (kind === 'insert') return { say: post, onScreen: () => undefined, close: () => undefined };

  const screen = await connect(url, kind === 'ours' ? { token: desk.token } : { rooms: senders.map(({ id }) => id) });
  const tabs = await connectResidents(url, senders, ({ id, token }) =>
    kind === 'ours' ? { token } : { rooms: [id], room: id },
  );
  const emit = (sender: number, content: string): Promise<unknown> =>
    new Promise<void>((resolve) => {
      tabs[sender]?.emit('message', messageTo(content), resolve);
    });
  return {
    say: kind === 'ours' ? post : emit,
    onScreen: (listener) => void screen.on('message:new', ({ content }) => listener(content)),
    close: () => {
      for (const socket of [screen, ...tabs]) socket.disconnect();
    },
  };
}
