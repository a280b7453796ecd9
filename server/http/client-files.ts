import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_TIME_ZONE } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { notFound } from './errors.ts';

const TYPES: Record<string, string> = {
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
type ClientFile = { type: string; etag: string; plain: () => Buffer; packed: Partial<Record<Encoding, Buffer>> };
type ClientFiles = Map<string, ClientFile>;

/**
 * Reads what ships under a prefix into memory once: a few megabytes, and no file call per request. What ships packed
 * is read plain only when somebody asks for it plain, which no browser does.
 * @param only the paths to take; left out, all of them
 */
export function loadFiles(resources: Resources, prefix: string, only?: readonly string[]): ClientFiles {
  const keys = new Set(resources.keys(prefix));
  const files: ClientFiles = new Map();
  for (const key of keys) {
    const path = key.slice(prefix.length);
    const ending = extname(key);
    if (ending === '.br' || ending === '.gz' || ending === '.map' || only?.includes(path) === false) continue;
    const packed: ClientFile['packed'] = {};
    if (keys.has(`${key}.br`)) packed.br = resources.read(`${key}.br`);
    if (keys.has(`${key}.gz`)) packed.gzip = resources.read(`${key}.gz`);
    let read: Buffer | undefined = packed.gzip || packed.br ? undefined : resources.read(key);
    const plain = (): Buffer => (read ??= resources.read(key));
    // Weak: all forms share it, and they are not the same bytes.
    const hash = createHash('sha256').update(packed.gzip ?? packed.br ?? plain());
    const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
    files.set(path, { type: TYPES[ending] ?? 'application/octet-stream', etag, plain, packed });
  }
  return files;
}

function pickEncoding(request: FastifyRequest, file: ClientFile): Encoding | null {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (file.packed.br && isAccepted(accepted, 'br')) return 'br';
  if (file.packed.gzip && isAccepted(accepted, 'gzip')) return 'gzip';
  return null;
}

/** Named without a quality of zero, which means "not this one". */
function isAccepted(header: string, encoding: Encoding): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}

/** Whether the reader already has the file: proxies weaken or list what we sent. */
function isKnown(request: FastifyRequest, { etag }: ClientFile): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || bare(tag) === bare(etag));
}

/** Sends a shipped file with its own type, compression and revalidation. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ClientFile, path: string): FastifyReply {
  // Names under /assets carry a hash of their content; everything else must be asked for again.
  const lasting = path.startsWith('/assets/');
  reply.header('etag', file.etag).header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
  // Beside what may stand there already: with CORS the answer depends on the origin too.
  const vary = [reply.getHeader('vary') ?? []].flat().map(String);
  reply.header('vary', [...vary, 'accept-encoding'].join(', '));
  if (isKnown(request, file)) return reply.code(304).send();
  const encoding = pickEncoding(request, file);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(encoding ? file.packed[encoding] : file.plain());
}

/** Paths that belong to the server: an unknown one there is a JSON 404, never the client. */
const SERVER_PATHS = /^\/(api|socket\.io|uploads|healthz)(\/|$)/;

/** Everything outside the server's own paths is the client; unknown paths get index.html (contract 1). */
export function registerClientFiles(app: FastifyInstance, resources: Resources, timeZone: string): void {
  const files = loadFiles(resources, 'client');
  const page = files.get('/index.html');
  if (page && timeZone !== DEFAULT_TIME_ZONE) files.set('/index.html', pageIn(timeZone, page));
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const readable = request.method === 'GET' || request.method === 'HEAD';
    const missingAsset = path.startsWith('/assets/') && !files.has(path);
    const file = files.get(path) ?? files.get('/index.html');
    if (!readable || !file || missingAsset || SERVER_PATHS.test(path)) throw notFound(errorTexts.pathMissing);
    return sendFile(request, reply, file, files.has(path) ? path : '/index.html');
  });
}

/** The page of an office elsewhere: it tells the client in which time zone to read every date. */
function pageIn(timeZone: string, page: ClientFile): ClientFile {
  // The settings let only names of time zones through.
  const text = page.plain().toString('utf8').replace('<html ', `<html data-time-zone="${timeZone}" `);
  const bytes = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: page.type, etag, plain: () => bytes, packed: { gzip: gzipSync(bytes) } };
}

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
