import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { expect, it, onTestFinished } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { type ServerProcess, startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { findFreePort } from '../bench/server-process.ts';
import { findNginx } from './nginx.mjs';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const ADMIN = { email: 'ratna@kantor.go.id', password: 'kata-sandi-petugas' };
const nginx = findNginx();

type Answer<T> = { status: number; data: T };
type Process = { server: ServerProcess; port: number };
type Account = { id: string; token: string };

/** Starts nginx with the file of the documentation, in which only ports and paths are replaced. @returns its port */
async function startNginx(program: string, ports: readonly number[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-nginx-'));
  // The workers of a server that root starts run under another account.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${join(folder, name)};`;
  });
  let text = readFileSync('docs/deployment/nginx.conf', 'utf8');
  const replaced: [string, string][] = [
    ['server app1:3000', `server 127.0.0.1:${ports[0]}`],
    ['server app2:3000', `server 127.0.0.1:${ports[1]}`],
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['\nhttp {', `\nhttp { access_log off; ${own.join(' ')}`],
  ];
  for (const [from, to] of replaced) {
    expect(text.split(from)).toHaveLength(2);
    text = text.replace(from, to);
  }
  writeFileSync(join(folder, 'nginx.conf'), text);
  const settings = `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'errors')};`;
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-g', settings], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return port;
}

/** A browser: an address of its own, because nginx chooses the process by it. */
function createBrowser(port: number, address: string) {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  onTestFinished(() => agent.destroy());
  let token = '';
  async function call<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    const parsed = answer.headers['content-type']?.includes('json') ? JSON.parse(text) : { data: text };
    return { status: answer.statusCode, data: parsed.data as T };
  }
  return {
    call,
    async signIn(credentials: typeof ADMIN): Promise<Account> {
      const { status, data } = await call<{ token: string; user: { id: string } }>(
        'POST',
        '/api/auth/login',
        credentials,
      );
      expect(status).toBe(200);
      ({ token } = data);
      return { id: data.user.id, token };
    },
    async register(name: string): Promise<Account> {
      const password = 'kata-sandi-warga';
      const fields = { name, email: `${name.toLowerCase()}@contoh.id`, password, password_confirmation: password };
      const { status, data } = await call<{ token: string; user: { id: string } }>(
        'POST',
        '/api/auth/register',
        fields,
      );
      expect(status).toBe(201);
      ({ token } = data);
      return { id: data.user.id, token };
    },
    /** A page with one transport, which connects again by itself. */
    openPage(transport: 'polling' | 'websocket') {
      // The types know only names of agents, the client in Node also takes one.
      const options = { agent: agent as unknown as string, transports: [transport], forceNew: true, auth: { token } };
      const socket = io(`http://127.0.0.1:${port}${REALTIME_NAMESPACE}`, { ...options, reconnectionDelayMax: 500 });
      onTestFinished(() => void socket.disconnect());
      const received: string[] = [];
      let connections = 0;
      socket.on('connect', () => (connections += 1));
      socket.on('message:new', ({ content }: Message) => received.push(content));
      return { received, connections: () => connections };
    },
  };
}
type Browser = ReturnType<typeof createBrowser>;

/** @returns a number of a process, as its metrics have it */
async function readMetric({ port }: Process, pattern: RegExp): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
const requestsOf = (process: Process): Promise<number> => readMetric(process, /^pbb_http_requests_total\{/);
const socketsOf = (process: Process): Promise<number> => readMetric(process, /^pbb_sockets\b/);

async function startProcesses(): Promise<[Process, Process]> {
  const database = `pbb_nginx_${process.pid}`;
  runSync('postgres', `create database ${database}`);
  onTestFinished(() => void runSync('postgres', `drop database ${database} with (force)`));
  const filesDir = tempDataDir();
  const start = async (): Promise<Process> => {
    const server = startServerProcess({
      DATA_DIR: tempDataDir(),
      FILES_DIR: filesDir,
      DATABASE_URL: `${testServer}/${database}`,
      JWT_SECRET: 'rahasia-kantor-yang-cukup-panjang-sekali',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      TRUST_PROXY: 'on',
      METRICS_TOKEN,
    });
    return { server, port: (await server.ready()).port };
  };
  return [await start(), await start()];
}

it.skipIf(!nginx)(
  'goes on behind nginx: a browser stays at its process, and finds the other one after a kill',
  async () => {
    const processes = await startProcesses();
    const port = await startNginx(
      nginx ?? '',
      processes.map((one) => one.port),
    );
    const isOpen = async (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isOpen).toBe(true);

    /** A browser whose address leads to a process. */
    async function browserAt(wanted: Process, from: number): Promise<Browser> {
      for (let number = from; number < 250; number += 1) {
        const browser = createBrowser(port, `127.0.${number}.1`);
        const before = await requestsOf(wanted);
        await browser.call('GET', '/api/office/public');
        // The metrics count themselves too.
        const [self, other] = [await requestsOf(wanted), await requestsOf(wanted)];
        if (self - before > other - self) return browser;
      }
      throw new Error('no address leads to the process');
    }

    const [first, second] = processes;
    const office = await browserAt(second, 1);
    const resident = await browserAt(first, 1);
    const neighbour = await browserAt(first, 50);
    const admin = await office.signIn(ADMIN);
    const [siti, budi] = [await resident.register('Siti'), await neighbour.register('Budi')];

    // Polling takes many requests, and each of them needs the process that knows the connection.
    const pages = { polling: resident.openPage('polling'), socket: neighbour.openPage('websocket') };
    const desk = office.openPage('websocket');
    await expect.poll(() => [pages.polling, pages.socket, desk].map((page) => page.connections())).toEqual([1, 1, 1]);
    await expect.poll(async () => [await socketsOf(first), await socketsOf(second)]).toEqual([2, 1]);

    let sent = 0;
    const say = async (browser: Browser, to: Account, content: string): Promise<void> => {
      sent += 1;
      const body = { to_user_id: to.id, content, client_id: `pesan-${sent}` };
      expect((await browser.call('POST', '/api/messages/send', body)).status).toBe(201);
    };
    await say(resident, admin, 'Dari Siti');
    await say(neighbour, admin, 'Dari Budi');
    await expect.poll(() => desk.received.toSorted()).toEqual(['Dari Budi', 'Dari Siti']);
    for (const user of [siti, budi]) await say(office, user, 'Dari kantor');
    await expect.poll(() => pages.polling.received).toEqual(['Dari Siti', 'Dari kantor']);
    await expect.poll(() => pages.socket.received).toEqual(['Dari Budi', 'Dari kantor']);
    expect([pages.polling, pages.socket, desk].map((page) => page.connections())).toEqual([1, 1, 1]);
    expect((await office.call('GET', '/metrics')).status).toBe(404);

    first.server.child.kill('SIGKILL');
    for (const user of [siti, budi]) await say(office, user, 'Selagi terputus');
    await expect.poll(() => [pages.polling.connections(), pages.socket.connections()]).toEqual([2, 2]);
    expect(await socketsOf(second)).toBe(3);
    for (const browser of [resident, neighbour]) {
      const path = `/api/messages/conversation/${admin.id}`;
      const { data } = await browser.call<{ messages: Message[] }>('GET', path);
      expect(JSON.stringify(data)).toContain('Selagi terputus');
    }
    await say(resident, admin, 'Siti lagi');
    for (const user of [siti, budi]) await say(office, user, 'Tersambung lagi');
    await expect.poll(() => pages.polling.received.at(-1)).toBe('Tersambung lagi');
    await expect.poll(() => pages.socket.received.at(-1)).toBe('Tersambung lagi');
    expect(desk.received).toContain('Siti lagi');
    expect(desk.connections()).toBe(1);
  },
  120_000,
);
