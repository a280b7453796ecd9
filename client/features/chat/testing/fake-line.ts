import { ApiError } from '#client/lib/api-error.ts';
import type { ChatApi } from '../session/api.ts';
import type { FakeOffice } from './fake-office.ts';
import type { FakeSocket } from './fake-socket.ts';

/** What the line does to one call: ms there and back, and whether the request or the answer gets lost. */
export type Weather = { thereMs: number; backMs: number; lost: 'no' | 'request' | 'answer' };

export const clear: Weather = { thereMs: 0, backMs: 0, lost: 'no' };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The calls of a resident to a fake office over a line that may be slow, lose things or be down. Runs on fake timers. */
export function fakeLine(office: FakeOffice, nextWeather: () => Weather = () => clear) {
  const state = { online: true };
  const counts: Record<string, number> = {};

  async function via<T>(name: string, answer: () => T): Promise<T> {
    counts[name] = (counts[name] ?? 0) + 1;
    const { thereMs, backMs, lost } = nextWeather();
    await wait(thereMs);
    if (!state.online || lost === 'request') throw new ApiError('network');
    const value = structuredClone(answer());
    await wait(backMs);
    if (!state.online || lost === 'answer') throw new ApiError('network');
    return value;
  }

  const calls: ChatApi = {
    contact: () => via('contact', () => ({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' })),
    history: (_peerId, query) => via('history', () => office.history(query)),
    send: (_peerId, content, clientId) => via('send', () => office.write('user', content, clientId)),
    seen: (_peerId, upTo) => via('seen', () => ({ user_id: 'u1', unread_count: office.see('user', upTo) })),
    conversations: () => Promise.reject(new Error('a resident has no list')),
    person: () => Promise.reject(new Error('a resident looks nobody up')),
    clear: () => Promise.reject(new Error('a resident deletes nothing')),
  };

  /** Lets a socket hear the office with a delay, in order; what is under way when it drops is lost. */
  function plug(socket: FakeSocket, lagMs: () => number): () => void {
    let freeAt = 0;
    const ear: Pick<FakeSocket, 'push'> = {
      push: (event, payload) => {
        freeAt = Math.max(freeAt, Date.now() + lagMs());
        setTimeout(() => office.sockets.has(ear) && socket.push(event, payload), freeAt - Date.now());
      },
    };
    office.sockets.add(ear);
    socket.connect();
    return () => {
      office.sockets.delete(ear);
      socket.drop();
    };
  }

  return { state, counts, calls, plug };
}
