import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { callApi } from '../kill/api-call.ts';
import { buildLists, LIST_YEAR } from '../import-kill/lists.ts';
import { logIn } from './writers.ts';

/** Some steps long, so that kills hit the middle. */
const OBJECTS = 300;
const POLL_EVERY_MS = 20;
/** A process that died is found after some seconds, and its work may be taken over by one that is killed too. */
const STUCK_AFTER_MS = 120_000;

export type Importer = {
  /** Batches of which an answer said that they are applied. */
  applied: string[];
  /** The objects of the last one, as `readListed` answers. */
  last: () => string[];
  /** `wrong`: the list was not as the file says once it was applied. */
  counts: { wrong: number; stuck: number };
  /** Ends after the import that has begun. */
  stop: () => Promise<void>;
};

/** @returns each object of a list with its amount in sen, as `readListed` answers */
function expectedOf(text: string): string[] {
  const [, ...lines] = text.split('\n');
  return lines.map((line) => {
    const cells = line.split('\t');
    return `${cells[0]} ${Number(cells[3]) * 100}`;
  });
}

/**
 * Starts an administrator who imports one of two lists after the other, each call at any process that answers.
 * @param urls of the processes
 * @param readListed the listed objects of the year, by number, each with its amount in sen
 */
export async function startImporter(
  urls: readonly string[],
  admin: { email: string; password: string },
  readListed: (year: number) => Promise<string[]>,
): Promise<Importer> {
  const { token } = await logIn(urls[0] ?? '', admin.email, admin.password);
  const { first, second } = buildLists(OBJECTS);
  const counts: Importer['counts'] = { wrong: 0, stuck: 0 };
  const applied: string[] = [];
  let last: string[] = [];
  const stopping = new AbortController();
  let calls = 0;

  /** Repeats a call until a process answers it, or refuses what a lost answer has done. */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; data: Batch }> {
    for (;;) {
      calls += 1;
      const url = urls[calls % urls.length] ?? '';
      const answer = await callApi(url, {
        method,
        path: `/api/admin/dhkp/batches${path}`,
        token,
        ...(body ? { body } : {}),
      });
      if ([200, 201, 202, 409].includes(answer.status)) {
        return { status: answer.status, data: (answer.body as { data: Batch }).data };
      }
      await sleep(POLL_EVERY_MS);
    }
  }

  /** @returns null when the batch does not get there */
  async function waitFor(id: string, state: Batch['state']): Promise<Batch | null> {
    for (const until = performance.now() + STUCK_AFTER_MS; performance.now() < until; await sleep(POLL_EVERY_MS)) {
      const { data } = await call('GET', `/${id}`);
      if (data.state === state) return data;
      if (data.state === 'failed') throw new Error(`a list was not read: ${data.message}`);
    }
    return null;
  }

  async function importList(text: string): Promise<void> {
    const made = await call('POST', '', { year: LIST_YEAR, text, client_id: randomUUID() });
    const ready = await waitFor(made.data.id, 'ready');
    if (ready) await call('POST', `/${ready.id}/apply`, { preview_id: ready.preview_id });
    if (!ready || !(await waitFor(ready.id, 'applied'))) {
      counts.stuck += 1;
      return;
    }
    applied.push(ready.id);
    last = expectedOf(text);
    if ((await readListed(LIST_YEAR)).join() !== last.join()) counts.wrong += 1;
  }

  async function run(): Promise<void> {
    for (let number = 0; !stopping.signal.aborted && counts.stuck === 0; number += 1)
      await importList(number % 2 === 0 ? first : second);
  }

  const running = run();
  // It is awaited at the end.
  running.catch(() => undefined);
  return {
    applied,
    last: () => last,
    counts,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
