import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The bytes that the measured page sent, by kind. */
export type PageBytes = { script: number; style: number; font: number; data: number };

/** A comment of so many bytes, which no compression would make smaller. */
const filler = (bytes: number): string =>
  `/*${randomBytes(Math.ceil(bytes / 2))
    .toString('hex')
    .slice(0, bytes)}*/`;

const SCRIPT = `
fetch('/data').then((answer) => answer.text()).then(() => {
  document.querySelector('main').innerHTML = '<h1>Selamat datang</h1><p class="money">Rp 1.000.000</p>';
});`;

/** Serves the least page that could show the data: one script, one style sheet, one font and one call, of the given sizes. */
export async function startBaselinePage(bytes: PageBytes): Promise<{ url: string; stop: () => Promise<void> }> {
  const files: Record<string, { type: string; body: string | Buffer }> = {
    '/script.js': { type: 'text/javascript', body: filler(bytes.script) + SCRIPT },
    '/style.css': {
      type: 'text/css',
      body: `@font-face{font-family:Baseline;src:url(/font.woff2);font-display:swap}body{font-family:Baseline}${filler(bytes.style)}`,
    },
    '/font.woff2': { type: 'font/woff2', body: randomBytes(bytes.font) },
    '/data': { type: 'application/json', body: JSON.stringify(filler(bytes.data)) },
  };
  const page = {
    type: 'text/html',
    body: `<!doctype html><html lang="id"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css"><script defer src="/script.js"></script><main></main></html>`,
  };
  const server = createServer((request, response) => {
    const { type, body } = files[request.url ?? ''] ?? page;
    response.setHeader('content-type', type);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
