import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appNameOf } from '#shared/labels.ts';
import { DEFAULT_TIME_ZONE } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { notFound } from './errors.ts';
import { acceptsEncoding, matchesEtag } from './answers/request-headers.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.mp3': 'audio/mpeg',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

type Encoding = 'br' | 'gzip';
export type StaticFile = {
  type: string;
  etag: string;
  uncompressed: () => Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
};
type StaticFiles = Map<string, StaticFile>;

/**
 * Reads the shipped files under a prefix into memory once: a few megabytes, and no file access per request. The
 * uncompressed form of a compressed file is read on demand only, because browsers never ask for it.
 * @param only the paths to load; without it all are loaded
 */
export function loadStaticFiles(resources: Resources, prefix: string, only?: readonly string[]): StaticFiles {
  const keys = new Set(resources.keys(prefix));
  const files: StaticFiles = new Map();
  for (const key of keys) {
    const path = key.slice(prefix.length);
    const extension = extname(key);
    if (extension === '.br' || extension === '.gz' || extension === '.map' || only?.includes(path) === false) continue;
    const compressed: StaticFile['compressed'] = {};
    if (keys.has(`${key}.br`)) compressed.br = resources.read(`${key}.br`);
    if (keys.has(`${key}.gz`)) compressed.gzip = resources.read(`${key}.gz`);
    let bytes: Buffer | undefined = compressed.gzip || compressed.br ? undefined : resources.read(key);
    const uncompressed = (): Buffer => (bytes ??= resources.read(key));
    // A weak tag: the compressed and the uncompressed form share it.
    const hash = createHash('sha256').update(compressed.gzip ?? compressed.br ?? uncompressed());
    const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
    files.set(path, { type: CONTENT_TYPES[extension] ?? 'application/octet-stream', etag, uncompressed, compressed });
  }
  return files;
}

function pickEncoding(request: FastifyRequest, { compressed }: StaticFile): Encoding | null {
  if (compressed.br && acceptsEncoding(request, 'br')) return 'br';
  return compressed.gzip && acceptsEncoding(request, 'gzip') ? 'gzip' : null;
}

/** Sends a shipped file with its content type, compression and cache headers. */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  path: string,
): FastifyReply {
  // File names under /assets contain a hash of the content; all other files must be revalidated.
  const isImmutable = path.startsWith('/assets/');
  reply
    .header('etag', file.etag)
    .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  // The header may have values already: with CORS the answer depends on the origin too.
  const vary = [reply.getHeader('vary') ?? []].flat().map(String);
  reply.header('vary', [...vary, 'accept-encoding'].join(', '));
  if (matchesEtag(request, file.etag)) return reply.code(304).send();
  const encoding = pickEncoding(request, file);
  // The plugin would compress the file anew for each caller that accepts `*` or `x-gzip`.
  request.headers['x-no-compression'] = 'shipped';
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(encoding ? file.compressed[encoding] : file.uncompressed());
}

/** In place of the service worker: takes over at once, removes what it kept, and itself (docs/requirements.md R-PWA-18). */
const REMOVE_SERVICE_WORKER = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
  })());
});
`;

/** Paths of the server: an unknown path below them gets a JSON 404, never the client's page. */
const SERVER_PATHS = /^\/(api|socket\.io|uploads|healthz|readyz|panduan)(\/|$)/;

const SERVICE_WORKER = '/sw.js';

const MANIFEST = '/manifest.webmanifest';

export type PageSettings = {
  timeZone: string;
  serviceWorker: boolean;
  /** Empty while the office has no name. */
  officeName: () => Promise<string>;
};

/** Serves the client on all other paths; an unknown path gets index.html (docs/requirements.md R-API-15). */
export function registerClientFiles(app: FastifyInstance, resources: Resources, settings: PageSettings): void {
  const files = loadStaticFiles(resources, 'client');
  const page = files.get('/index.html');
  if (page) files.set('/index.html', withSettings(settings, page));
  const worker = files.get(SERVICE_WORKER);
  const workerPage = files.get('/index.html');
  if (worker && workerPage) files.set(SERVICE_WORKER, workerFile(settings, worker, workerPage));
  const manifestFor = createManifests(files.get(MANIFEST));
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isReadMethod = request.method === 'GET' || request.method === 'HEAD';
    const isMissingAsset = path.startsWith('/assets/') && !files.has(path);
    const file =
      (path === MANIFEST ? manifestFor(await settings.officeName()) : files.get(path)) ?? files.get('/index.html');
    if (!isReadMethod || !file || isMissingAsset || SERVER_PATHS.test(path)) throw notFound(errorTexts.pathMissing);
    return sendStaticFile(request, reply, file, files.has(path) ? path : '/index.html');
  });
}

/** Writes into the page what it must know before any call, unless that is the normal case. */
function withSettings(
  { timeZone, serviceWorker }: Pick<PageSettings, 'timeZone' | 'serviceWorker'>,
  page: StaticFile,
): StaticFile {
  // Safe in HTML: the settings accept only names of time zones.
  const zone = timeZone === DEFAULT_TIME_ZONE ? '' : `data-time-zone="${timeZone}" `;
  const attributes = zone + (serviceWorker ? '' : 'data-service-worker="off" ');
  if (attributes === '') return page;
  return textFile(page.type, page.uncompressed().toString('utf8').replace('<html ', `<html ${attributes}`));
}

/** The manifest says the name of the office, so that an installed app has it (docs/requirements.md R-OFFICE-25). */
function createManifests(shipped: StaticFile | undefined) {
  let made: { officeName: string; file: StaticFile } | null = null;
  return (officeName: string): StaticFile | undefined => {
    if (!shipped || officeName === '') return shipped;
    if (made?.officeName === officeName) return made.file;
    const manifest: unknown = JSON.parse(shipped.uncompressed().toString('utf8'));
    const named = JSON.stringify({ ...Object(manifest), name: appNameOf(officeName) });
    made = { officeName, file: textFile(shipped.type, named) };
    return made.file;
  };
}

/** Browsers fetch the page again when a byte of the worker has changed, so it names the page (docs/requirements.md R-PWA-17). */
function workerFile(
  { serviceWorker }: Pick<PageSettings, 'serviceWorker'>,
  worker: StaticFile,
  page: StaticFile,
): StaticFile {
  if (!serviceWorker) return textFile(worker.type, REMOVE_SERVICE_WORKER);
  return textFile(worker.type, `${worker.uncompressed().toString('utf8')}\n// ${page.etag}\n`);
}

/** A file that this program makes itself, once. */
export function textFile(type: string, text: string): StaticFile {
  const bytes = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, etag, uncompressed: () => bytes, compressed: { gzip: gzipSync(bytes) } };
}

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
