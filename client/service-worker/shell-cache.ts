import { paths } from '#client/paths.ts';

/**
 * Keeps the app's own files, so that it starts without a network and never waits for a slow one (docs/requirements.md
 * R-PWA-10). It answers nothing but the page and files of its list: no call of the API, no upload, nothing of a person.
 */

declare const self: ServiceWorkerGlobalScope;

/** Written by scripts/client-build/service-worker.ts. */
declare const PBB_SHELL: {
  build: string;
  /** Without these there is no page; then what residents load later, and administrators. */
  first: string[];
  user: string[];
  admin: string[];
  /** Files with fixed names: icons and the manifest. */
  extra: string[];
};

const PAGE = '/index.html';
const CACHE = `pbb-shell-${PBB_SHELL.build}`;
const FIRST = [...PBB_SHELL.first, '/boot.js', PAGE];

/** The first parts of the addresses of the client. */
const areas = new Set(
  Object.values(paths)
    .filter((path) => typeof path === 'string')
    .map((path) => path.split('/')[1] ?? ''),
);

/** Fetches a file of this build. Names under /assets contain a hash, so a copy from anywhere is the same file. */
async function fetchFile(path: string): Promise<Response> {
  const isHashed = path.startsWith('/assets/');
  const known = isHashed ? await caches.match(path) : undefined;
  if (known) return known;
  const answer = await fetch(path, isHashed ? {} : { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function addFiles(files: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(files.map(async (path) => cache.put(path, await fetchFile(path))));
}

function isPage({ mode, method }: Request, pathname: string): boolean {
  return mode === 'navigate' && method === 'GET' && areas.has(pathname.split('/')[1] ?? '');
}

async function answerFromCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(request);
}

export function bindShellCache(): void {
  self.addEventListener('install', (event) => {
    event.waitUntil(addFiles(FIRST));
  });
  self.addEventListener('activate', (event) => {
    event.waitUntil(self.clients.claim());
  });
  self.addEventListener('fetch', (event) => {
    const { origin, pathname } = new URL(event.request.url);
    if (origin !== self.location.origin || event.request.method !== 'GET') return;
    if (isPage(event.request, pathname)) {
      event.respondWith(answerFromCache(PAGE, event.request));
    } else if (pathname === '/boot.js' || pathname.startsWith('/assets/')) {
      event.respondWith(answerFromCache(pathname, event.request));
    }
  });
}
