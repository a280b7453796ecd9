import { request as httpRequest } from 'node:http';
import type { CDPSession } from '@playwright/test';
import type { PageBytes } from './baseline-page.ts';

type Request = { path: string; type: string; bytes: number };
/** Everything that a page asks for. */
export type Traffic = { requests: () => Request[] };

export function recordTraffic(devTools: CDPSession): Traffic {
  const requests = new Map<string, Request>();
  devTools.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    const { pathname, search } = new URL(request.url);
    requests.set(requestId, { path: pathname + search, type: type ?? 'Other', bytes: 0 });
  });
  devTools.on('Network.webSocketCreated', ({ requestId, url }) => {
    requests.set(requestId, { path: new URL(url).pathname, type: 'WebSocket', bytes: 0 });
  });
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  return { requests: () => [...requests.values()] };
}

export function sumBytes(requests: Request[]): PageBytes {
  const sumOf = (type: string): number =>
    requests.filter((request) => request.type === type).reduce((sum, { bytes }) => sum + bytes, 0);
  return { script: sumOf('Script'), style: sumOf('Stylesheet'), font: sumOf('Font'), data: sumOf('Fetch') };
}

/** The calls of the API that were made more than once. */
export function findRepeatedCalls(requests: Request[]): string[] {
  const calls = requests.filter(({ path }) => path.startsWith('/api/')).map(({ path }) => path);
  return [...new Set(calls.filter((path, index) => calls.indexOf(path) !== index))];
}

/** The size of all scripts as the server sends them in an encoding. */
export async function readScriptBytes(url: string, requests: Request[], encoding: 'br' | 'gzip'): Promise<number> {
  const scripts = requests.filter(({ type }) => type === 'Script');
  const sizes = await Promise.all(scripts.map(({ path }) => readEncodedBytes(`${url}${path}`, encoding)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function readEncodedBytes(url: string, encoding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    });
    request.on('error', reject);
    request.end();
  });
}
