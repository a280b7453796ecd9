import { io } from 'socket.io-client';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';

type Json = Record<string, unknown>;
type Answer = { status: number; body: { data?: Json; token?: string } & Json };

/** Sends the API calls of one account with its token and opens its socket. */
export class TestClient {
  readonly url: string;
  token = '';
  /** The account in the answer to the login or registration. */
  user: Json = {};

  constructor(url: string) {
    this.url = url;
  }

  async call(method: string, path: string, body?: Json | FormData): Promise<Answer> {
    const isForm = body instanceof FormData;
    const headers = {
      ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    };
    const payload = isForm ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: payload }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  /** @param path `/api/auth/login` or `/api/auth/register` @throws when the answer is an error */
  async authenticate(path: string, fields: Json): Promise<void> {
    const { status, body } = await this.call('POST', path, fields);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    const data = body.data as { token: string; user: Json };
    this.token = data.token;
    this.user = data.user;
  }

  /** Connects and waits for the first presence event. @returns a wait for the next event of a name, and `close` */
  async connectSocket(): Promise<{ next: (event: string) => Promise<Json>; close: () => void }> {
    const socket = io(`${this.url}${REALTIME_NAMESPACE}`, {
      auth: { token: this.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    const next = (event: string): Promise<Json> =>
      withTimeout(`the event ${event}`, new Promise<Json>((resolve) => socket.once(event, resolve)), 20_000);
    await next('presence');
    return { next, close: () => void socket.disconnect() };
  }
}
