import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { ApiError, type FieldErrors } from './api-error.ts';
import { isPlainObject } from './is-plain-object.ts';
import { currentSession, expireSession } from './session.ts';

/** The only caller of the server. Every function gives the `data` of the answer or throws an `ApiError`. */

const API_BASE = '/api';

type QueryValue = string | number | boolean | null | undefined;
type Options = { query?: Record<string, QueryValue>; signal?: AbortSignal };
type UploadOptions = {
  /** 0 to 1, while the file is on its way. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
};

function toUrl(path: string, query: Options['query'] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return `${API_BASE}${path}${text ? `?${text}` : ''}`;
}

function headersFor(token: string | undefined, body: unknown): Record<string, string> {
  return {
    Accept: 'application/json',
    // A form's content type carries its boundary, which only the browser knows.
    ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

type Answer<T> = { data: T };
type Envelope<T> = { success?: boolean; message?: unknown; data?: T; errors?: FieldErrors };

function parseEnvelope<T>(text: string): Envelope<T> | null {
  try {
    const value: Envelope<T> = JSON.parse(text);
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

function requireData<T>(status: number, envelope: Envelope<T> | null, token: string | undefined): T {
  return requireAnswer(status, envelope, token).data;
}

function requireAnswer<T>(status: number, envelope: Envelope<T> | null, token: string | undefined): Answer<T> {
  // The one place where a session ends by the server's word. A wrong password is a 401 too, but was sent without a token.
  if (status === 401 && token) expireSession(token);
  const ok = status >= 200 && status < 300 && envelope?.success !== false;
  if (ok && envelope?.data !== undefined) return { ...envelope, data: envelope.data };
  if (ok) throw new ApiError('format', { status });
  const message = typeof envelope?.message === 'string' ? envelope.message : '';
  throw new ApiError('http', { status, message, ...(envelope?.errors ? { errors: envelope.errors } : {}) });
}

async function send<T>(method: string, path: string, body: unknown, options?: Options): Promise<T> {
  const answer: Answer<T> = await sendForAnswer(method, path, body, options);
  return answer.data;
}

async function sendForAnswer<A extends Answer<unknown>>(
  method: string,
  path: string,
  body: unknown,
  { query, signal }: Options = {},
): Promise<A> {
  const token = currentSession()?.token;
  const abort = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort.abort();
  }, API_TIMEOUT_MS);
  const onAbort = () => abort.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    const response = await fetch(toUrl(path, query), {
      method,
      headers: headersFor(token, body),
      signal: abort.signal,
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    // The body counts against the same time: a slow line may send the head at once and then nothing.
    // What the server answers to a call is known by its schema in shared/api, not by looking.
    return requireAnswer(response.status, parseEnvelope(await response.text()), token) as A;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The caller no longer wants the answer; that is not a failure to tell anybody about.
    if (signal?.aborted && !timedOut) throw error;
    throw new ApiError(timedOut ? 'timeout' : 'network');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Sends a form and reports its progress, which fetch cannot. */
function upload<T>(method: 'POST' | 'PUT', path: string, form: FormData, options: UploadOptions = {}): Promise<T> {
  const { onProgress, signal } = options;
  const token = currentSession()?.token;
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    // The time limit is for silence: a photo over a slow line may well take longer, as long as it moves.
    const restartTimeout = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new ApiError('timeout'));
        request.abort();
      }, API_TIMEOUT_MS);
    };
    const finish = (complete: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      complete();
    };
    const cancel = () => {
      request.abort();
      finish(() => reject(new DOMException('Aborted', 'AbortError')));
    };
    request.upload.addEventListener('progress', (event) => {
      restartTimeout();
      if (event.lengthComputable && event.total > 0) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('progress', restartTimeout);
    request.addEventListener('error', () => finish(() => reject(new ApiError('network'))));
    request.addEventListener('abort', () => finish(() => reject(new ApiError('network'))));
    request.addEventListener('load', () =>
      finish(() => {
        try {
          resolve(requireData(request.status, parseEnvelope<T>(request.responseText), token));
        } catch (error) {
          reject(error);
        }
      }),
    );
    request.open(method, toUrl(path));
    for (const [name, value] of Object.entries(headersFor(token, form))) request.setRequestHeader(name, value);
    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel);
    restartTimeout();
    request.send(form);
  });
}

export const api = {
  get: <T>(path: string, options?: Options) => send<T>('GET', path, undefined, options),
  /** The whole answer, for a call that has figures beside its `data`. */
  getAnswer: <A extends Answer<unknown>>(path: string, options?: Options) =>
    sendForAnswer<A>('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: Options) => send<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: Options) => send<T>('PUT', path, body, options),
  del: <T = unknown>(path: string, options?: Options) => send<T>('DELETE', path, undefined, options),
  upload,
};

export type DatabaseState = 'connected' | 'disconnected' | 'unknown';

/** Whether the server's database answers. `/healthz` stands beside the API: it asks for no session and has no envelope. */
export async function fetchDatabaseState(): Promise<DatabaseState> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(API_TIMEOUT_MS) });
    return response.ok ? 'connected' : 'disconnected';
  } catch {
    // No answer at all says nothing about the database behind it.
    return 'unknown';
  }
}
