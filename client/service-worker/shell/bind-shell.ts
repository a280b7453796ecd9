import type { ShellRequest } from '#shared/shell-messages.ts';
import {
  ADMIN_FILES,
  BUILD,
  EXTRA_FILES,
  FIRST_FILES,
  isFile,
  isFirst,
  isOfThisBuild,
  isPage,
  PAGE,
  USER_FILES,
} from './shell-files.ts';
import {
  dropPage,
  fetchOwn,
  findKept,
  forgetWhole,
  isWhole,
  keepAnswer,
  keepFiles,
  removeOtherBuilds,
  removeOwnBuild,
  StorageError,
} from './shell-store.ts';

/**
 * Keeps the app's own files, so that it starts without a network and never waits for a slow one (docs/requirements.md
 * R-PWA-10). It answers nothing but the page and files of its build: no call of the API, no upload, nothing of a person.
 */

declare const self: ServiceWorkerGlobalScope;

const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Without a network the browser tries again later. Without space the app runs as if there were no worker. */
async function install(): Promise<void> {
  try {
    // The server may have written another time zone into the page of the same build.
    await keepFiles(FIRST_FILES, { renewed: true });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    await removeOwnBuild().catch(() => undefined);
  }
}

async function activate(): Promise<void> {
  const windows = await listWindows();
  await removeOtherBuilds({ exceptNewest: windows.length > 0 }).catch(() => undefined);
  // The files of an open page stay here when the server gets others.
  await self.clients.claim();
}

/** An address of the client: never from the network while everything is kept, however good that network looks. */
async function answerPage(request: Request): Promise<Response> {
  const kept = (await isWhole()) ? await findKept(PAGE) : undefined;
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    // Perhaps enough is left to show something.
    const rest = await findKept(PAGE);
    if (rest) return rest;
    throw error;
  }
}

async function answerFile(event: FetchEvent, path: string): Promise<Response> {
  const kept = await findKept(path);
  if (kept) return kept;
  forgetWhole();
  const answer = await fetch(event.request);
  if (answer.ok && isOfThisBuild(path)) {
    event.waitUntil(keepAnswer(path, answer.clone()).catch(() => undefined));
  } else if (answer.status === 404 && isOfThisBuild(path)) {
    event.waitUntil(leaveBuild(event.clientId, path));
  }
  return answer;
}

/** The server has another build, and a file of this one is lost: what is opened next comes from there. */
async function leaveBuild(clientId: string, path: string): Promise<void> {
  // Once: a server that lacks a file of its own page must not have it opened for ever.
  const wasKept = await dropPage().catch(() => false);
  if (!wasKept || !isFirst(path)) return;
  // Nothing runs in that page yet, so nothing can have been typed.
  const client = await self.clients.get(clientId);
  // Not awaited: the page may have to wait for a newer worker, which waits until this one has nothing to do.
  if (client instanceof WindowClient) client.navigate(client.url).catch(() => undefined);
}

/** Whether the server still has a worker. An older version answers with its page, a removed one with 404. */
async function isRetired(signal: AbortSignal): Promise<boolean> {
  const answer = await fetchOwn('/sw.js', signal);
  if (answer.status === 404 || answer.status === 410) return true;
  return answer.ok && !(answer.headers.get('content-type') ?? '').includes('javascript');
}

const areaFiles = {
  first: [],
  user: [...USER_FILES, ...EXTRA_FILES],
  admin: [...USER_FILES, ...ADMIN_FILES, ...EXTRA_FILES],
};

/** Ends what fills the cache: the browser starts a newer worker only when this one is not busy. */
let filling = new AbortController();

async function fill({ build, area }: Extract<ShellRequest, { type: 'fill' }>): Promise<void> {
  filling.abort();
  filling = new AbortController();
  const { signal } = filling;
  if (await isRetired(signal)) {
    await removeOwnBuild();
    await removeOtherBuilds({ exceptNewest: false });
    await self.registration.unregister();
    return;
  }
  const { installing, waiting } = self.registration;
  // Pages of another build may still need its files, but a lone page of this one does not, unless it comes next.
  if (build === BUILD && !installing && !waiting && (await listWindows()).length === 1)
    await removeOtherBuilds({ exceptNewest: false });
  await keepFiles([...FIRST_FILES, ...areaFiles[area]], { signal });
}

async function perform(request: ShellRequest): Promise<void> {
  if (request.type === 'fill') await fill(request);
  if (request.type === 'activate') await self.skipWaiting();
  if (request.type === 'leave' && request.build === BUILD) await dropPage();
}

function isShellRequest(data: unknown): data is ShellRequest {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    (data.type === 'fill' || data.type === 'activate' || data.type === 'leave')
  );
}

export function bindShell(): void {
  self.addEventListener('install', (event) => event.waitUntil(install()));
  self.addEventListener('activate', (event) => event.waitUntil(activate()));
  self.registration.addEventListener('updatefound', () => filling.abort());
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== self.location.origin || request.method !== 'GET') return;
    if (request.mode === 'navigate') {
      if (isPage(pathname)) event.respondWith(answerPage(request));
    } else if (isFile(pathname)) {
      event.respondWith(answerFile(event, pathname));
    }
  });
  self.addEventListener('message', (event) => {
    const data: unknown = event.data;
    if (!isShellRequest(data)) return;
    const reply = (isDone: boolean): void => event.ports[0]?.postMessage(isDone);
    event.waitUntil(
      perform(data).then(
        () => reply(true),
        () => reply(false),
      ),
    );
  });
}
