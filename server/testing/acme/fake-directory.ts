import { createServer } from 'node:https';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';

/** A directory that knows nothing but how to fail. @param answer to every request for an account */
export async function startFakeDirectory(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const { pair, ca } = issueTestCertificate(['localhost']);
  const folder = mkdtempSync(join(tmpdir(), 'pbb-directory-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  const asked: string[] = [];
  const server = createServer(pair, (request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('replay-nonce', `n${asked.length}`);
    const url = (name: string): string => `https://${request.headers.host}/${name}`;
    if (request.url === '/dir') response.end(JSON.stringify({ newNonce: url('nonce'), newAccount: url('account') }));
    else if (request.url === '/nonce') response.end();
    else answer(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const address = server.address();
  const origin = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return { origin, directory: `${origin}/dir`, caFile, asked };
}

/** Answers as RFC 7807 says. */
export function answerProblem(response: ServerResponse, status: number, kind: string, detail: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${kind}`, detail }));
}
