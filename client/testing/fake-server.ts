import { vi } from 'vitest';

/** A received call. `body` is the JSON value, or the fields of a form by name. */
export type Call = {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
};
export type Answer = { status: number; body: unknown };
type Handler = (call: Call) => Answer | Promise<Answer>;

export function okAnswer(data: unknown, message = 'Berhasil'): Answer {
  return { status: 200, body: { success: true, message, data } };
}

export function okListAnswer(items: unknown[]): Answer {
  return okAnswer({ data: items, total: items.length, per_page: 1000, current_page: 1, last_page: 1 });
}

export function failAnswer(status: number, message?: string, errors?: Record<string, string[]>): Answer {
  return { status, body: { success: false, message, errors } };
}

/** An answer that never comes. */
export function neverAnswer(): Promise<Answer> {
  return new Promise(() => {});
}

/** A broken connection. */
export function networkError(): Promise<Answer> {
  return Promise.reject(new TypeError('Failed to fetch'));
}

function readBody(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof FormData ? Object.fromEntries(body) : undefined;
}

/**
 * Replaces the network for one test: `server.on('GET /api/tax-records', okListAnswer([…]))`. Handles fetch and uploads.
 * The last handler of an address is used. An address without a handler answers 404 and is named in the error.
 */
export function fakeServer() {
  const handlers = new Map<string, Handler>();
  const calls: Call[] = [];

  async function answer(method: string, url: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    const { pathname, searchParams } = new URL(url, window.location.origin);
    const call = { method, path: pathname, query: Object.fromEntries(searchParams), body: readBody(body), headers };
    calls.push(call);
    const handler = handlers.get(`${method} ${pathname}`);
    return handler ? handler(call) : failAnswer(404, `No handler for ${method} ${pathname}`);
  }

  async function fakeFetch(url: string, init: RequestInit = {}): Promise<Response> {
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => reject(new DOMException('Aborted', 'AbortError'));
      if (init.signal?.aborted) stop();
      init.signal?.addEventListener('abort', stop);
    });
    const headers = Object.fromEntries(new Headers(init.headers));
    const { status, body } = await Promise.race([answer(init.method ?? 'GET', url, headers, init.body), aborted]);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  }

  class FakeRequest extends EventTarget {
    upload = new EventTarget();
    status = 0;
    responseText = '';
    #method = 'GET';
    #url = '';
    #headers: Record<string, string> = {};

    open(method: string, url: string) {
      this.#method = method;
      this.#url = url;
    }

    setRequestHeader(name: string, value: string) {
      this.#headers[name.toLowerCase()] = value;
    }

    send(form: FormData) {
      this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded: 1, total: 2 }));
      void this.#finish(form);
    }

    async #finish(form: FormData) {
      try {
        const { status, body } = await answer(this.#method, this.#url, this.#headers, form);
        this.status = status;
        this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
        this.dispatchEvent(new Event('load'));
      } catch {
        this.dispatchEvent(new Event('error'));
      }
    }

    abort() {
      this.dispatchEvent(new Event('abort'));
    }
  }

  vi.stubGlobal('fetch', fakeFetch);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);

  return {
    calls,
    /** The calls of one address, as in `server.callsOf('POST /api/tax-records')`. */
    callsOf: (address: string) => calls.filter((call) => `${call.method} ${call.path}` === address),
    on(address: string, reply: Answer | Handler) {
      handlers.set(address, typeof reply === 'function' ? reply : () => reply);
    },
  };
}
