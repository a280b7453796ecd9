import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { ApiError, type FieldErrors } from './api-error.ts';
import type { FilePath, Routes } from './call-types.ts';
import { dropEarlyAnswers, takeEarlyAnswer } from './early-answers.ts';
import { isPlainObject } from '../storage/is-plain-object.ts';
import { reportNoAnswer } from './server-reachability.ts';
import { currentSession, expireSession } from '../session/session.ts';

/** The only caller of the server. Every call gives the `data` of the answer or throws an `ApiError`. */

const API_BASE = '/api';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type PathOf<M extends Method> = keyof Routes extends infer Key
  ? Key extends `${M} ${infer Path}`
    ? Path
    : never
  : never;
type RouteOf<M extends Method, Path extends string> = Routes[`${M} ${Path}` & keyof Routes];
type AnswerOf<M extends Method, Path extends string> = RouteOf<M, Path>['answer'];
type DataOf<M extends Method, Path extends string> = AnswerOf<M, Path>['data'];
type FormPathOf<M extends Method> =
  PathOf<M> extends infer Path
    ? Path extends string
      ? RouteOf<M, Path> extends { form: true }
        ? Path
        : never
      : never
    : never;

type ParamName<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never;
type Params<Path> = [ParamName<Path>] extends [never]
  ? { params?: never }
  : { params: Record<ParamName<Path>, string> };
type Query<Route> = Route extends { query: infer Q } ? { query?: Q } : { query?: never };
type Body<Route> = Route extends { body: infer B }
  ? undefined extends B
    ? { body?: B }
    : { body: B }
  : { body?: never };

/** The options of a call with this method and path. */
type CallOptions<M extends Method, Path extends string> = { signal?: AbortSignal | undefined } & Params<Path> &
  Query<RouteOf<M, Path>> &
  Body<RouteOf<M, Path>>;
type CallArguments<M extends Method, Path extends string> =
  {} extends CallOptions<M, Path> ? [options?: CallOptions<M, Path>] : [options: CallOptions<M, Path>];
type FormOptions<Path> = Params<Path> & Upload;
type Upload = {
  form: FormData;
  /** 0 to 1, while the form is being sent. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  /** The longest time without progress; by default the time that any call may take. */
  quietMs?: number;
};

/** The options of any call, without the types of its route. */
type AnyOptions = {
  params?: Record<string, string>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};
type AnyFormOptions = Pick<AnyOptions, 'params'> & Upload;

function toUrl(path: string, { params = {}, query = {} }: AnyOptions): string {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `${API_BASE}${filledPath}${text ? `?${text}` : ''}`;
}

function headersFor(token: string | undefined, body: unknown): Record<string, string> {
  return {
    Accept: 'application/json',
    // The content type of a form contains its boundary, which only the browser knows.
    ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

type Envelope = { success?: unknown; message?: unknown; data?: unknown; errors?: FieldErrors };
type Answer = { data: unknown };

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

function requireAnswer(status: number, envelope: Envelope | null, token: string | undefined): Answer {
  // The one place where the server ends a session. A login with a wrong password gets 401 too, but has no token.
  if (status === 401 && token) expireSession(token);
  const ok = status >= 200 && status < 300 && envelope?.success !== false;
  if (ok && envelope?.data !== undefined) return { ...envelope, data: envelope.data };
  if (ok) throw new ApiError('format', { status });
  const message = typeof envelope?.message === 'string' ? envelope.message : '';
  throw new ApiError('http', {
    status,
    message,
    data: envelope?.data,
    ...(envelope?.errors ? { errors: envelope.errors } : {}),
  });
}

/** The answer to a call made before this code was loaded; null when it failed and must be made again. */
async function receiveEarlyAnswer(
  url: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Response | null> {
  const early = takeEarlyAnswer(url, token);
  if (!early) return null;
  signal.addEventListener('abort', early.abort);
  if (signal.aborted) early.abort();
  return early.answer.catch(() => null);
}

async function send(method: Method, path: string, options: AnyOptions = {}): Promise<Answer> {
  const { body, signal } = options;
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
  const url = toUrl(path, options);
  try {
    const early = method === 'GET' ? await receiveEarlyAnswer(url, token, abort.signal) : dropEarlyAnswers();
    const response =
      early ??
      (await fetch(url, {
        method,
        headers: headersFor(token, body),
        signal: abort.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }));
    // The time limit includes the body: a slow connection may deliver the headers at once and then nothing.
    return requireAnswer(response.status, parseEnvelope(await response.text()), token);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The caller has aborted the call, which is no error to report.
    if (signal?.aborted && !timedOut) throw error;
    reportNoAnswer();
    throw new ApiError(timedOut ? 'timeout' : 'network');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Sends a multipart form and reports the progress, which fetch cannot. */
function sendForm(method: Method, path: string, options: AnyFormOptions): Promise<Answer> {
  const { form, onProgress, signal, quietMs = API_TIMEOUT_MS } = options;
  const token = currentSession()?.token;
  dropEarlyAnswers();
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    // The time limit is without progress: a photo over a slow connection may take longer in total (R-API-18).
    const restartTimeout = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new ApiError('timeout'));
        request.abort();
      }, quietMs);
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
    request.addEventListener('error', () => {
      reportNoAnswer();
      finish(() => reject(new ApiError('network')));
    });
    request.addEventListener('abort', () => finish(() => reject(new ApiError('network'))));
    request.addEventListener('load', () =>
      finish(() => {
        try {
          resolve(requireAnswer(request.status, parseEnvelope(request.responseText), token));
        } catch (error) {
          reject(error);
        }
      }),
    );
    request.open(method, toUrl(path, options));
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

// The three functions below connect the types of a call with its untyped transport.
// The casts are safe because the server filters each answer through its schema in shared/api.

function callerOf<M extends Method>(method: M) {
  return async <Path extends PathOf<M>>(path: Path, ...[options]: CallArguments<M, Path>) => {
    const answer = await send(method, path, options);
    return answer.data as DataOf<M, Path>;
  };
}

function formCallerOf<M extends 'POST' | 'PUT'>(method: M) {
  return async <Path extends FormPathOf<M>>(path: Path, options: FormOptions<Path>) => {
    const answer = await sendForm(method, path, options);
    return answer.data as DataOf<M, Path>;
  };
}

function answerCallerOf<M extends Method>(method: M) {
  return async <Path extends PathOf<M>>(path: Path, ...[options]: CallArguments<M, Path>) => {
    const answer = await send(method, path, options);
    return answer as AnswerOf<M, Path>;
  };
}

/** The calls of the API. Method and path decide which parameters, query and body are taken and what is answered. */
export const api = {
  get: callerOf('GET'),
  /** Gives the whole answer, for a call that has more fields beside its `data`. */
  getAnswer: answerCallerOf('GET'),
  post: callerOf('POST'),
  put: callerOf('PUT'),
  delete: callerOf('DELETE'),
  postForm: formCallerOf('POST'),
  putForm: formCallerOf('PUT'),
};

/** A list of the tax office has up to 20 MB, also over a slow connection. */
const FILE_TIMEOUT_MS = 120_000;

/** The content of a file that needs the session; its name is known to the caller. */
export async function fetchFile<Path extends FilePath>(path: Path, options: Params<Path>): Promise<Blob> {
  const token = currentSession()?.token;
  try {
    const response = await fetch(toUrl(path, options), {
      headers: headersFor(token, undefined),
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
    });
    if (response.ok) return await response.blob();
    requireAnswer(response.status, parseEnvelope(await response.text()), token);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    reportNoAnswer();
  }
  throw new ApiError('network');
}

export type DatabaseState = 'connected' | 'disconnected' | 'unknown';

/** Whether the server's database answers. `/healthz` is not part of the API: it needs no session and has no envelope. */
export async function fetchDatabaseState(): Promise<DatabaseState> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(API_TIMEOUT_MS) });
    return response.ok ? 'connected' : 'disconnected';
  } catch {
    // Without an answer, the state of the database is unknown.
    return 'unknown';
  }
}

/** An answer that takes longer is no help to a user who waits for a page. */
const PROBE_TIMEOUT_MS = 5000;

/** Whether the server answers now. What a proxy or the login page of a network answers in its place does not count. */
export async function probeServer(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    // Also without its database the server answers in JSON, and it still has the code of every page.
    return parseEnvelope(await response.text()) !== null;
  } catch {
    return false;
  }
}

/** The name of the build that the server has now; null when it does not say. */
export async function fetchServerBuild(): Promise<string | null> {
  try {
    const response = await fetch('/build.json', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const { build } = (await response.json()) as { build?: unknown };
    return typeof build === 'string' ? build : null;
  } catch {
    return null;
  }
}
