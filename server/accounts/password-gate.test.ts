import { describe, expect, it } from 'vitest';
import { createGate, type GateOptions } from './password-gate.ts';

const BUSY = { status: 503, message: 'Server sedang sibuk. Coba lagi.', headers: { 'retry-after': '2' } };

/** A gate whose tasks end when the test says so. */
function buildGate() {
  const runInTurn = createGate({ maxRunning: 2, maxWaiting: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, options: Partial<GateOptions> = {}): Promise<string> =>
    runInTurn(
      async () => {
        started.push(name);
        await new Promise<void>((resolve) => void ends.set(name, resolve));
        return name;
      },
      { holder: '10.0.0.1', ...options },
    );
  const end = (name: string): void => ends.get(name)?.();
  return { run, end, started };
}

describe('a gate', () => {
  it('runs two tasks at once, the others in the order of their arrival', async () => {
    const { run, end, started } = buildGate();
    const results = ['a', 'b', 'c', 'd'].map((name) => run(name));
    await Promise.resolve();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await results[1];
    await expect.poll(() => started).toEqual(['a', 'b', 'c']);
    end('a');
    await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) end(name);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('answers 503 with Retry-After when too many wait, and takes the next ones again', async () => {
    const { run, end, started } = buildGate();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name));
    await expect(run('f')).rejects.toMatchObject(BUSY);
    end('a');
    await results[0];
    const later = run('g');
    for (const name of ['b', 'c', 'd', 'e', 'g']) {
      await expect.poll(() => started).toContain(name);
      end(name);
    }
    expect(await later).toBe('g');
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'g']);
  });

  it('never runs the task of a caller who hung up before or while it waited', async () => {
    const { run, end, started } = buildGate();
    const results = [run('a'), run('b')];
    const caller = new AbortController();
    const waiting = run('c', { signal: caller.signal });
    const next = run('d');
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    await expect(run('e', { signal: caller.signal })).rejects.toMatchObject({ status: 503 });
    end('a');
    await expect.poll(() => started).toEqual(['a', 'b', 'd']);
    for (const name of ['b', 'd']) end(name);
    await Promise.all([...results, next]);
  });

  it.each([false, true])(
    'makes room in a full line for other holders, and these take turns (preferred: %s)',
    async (isPreferred) => {
      const { run, end, started } = buildGate();
      const results = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name, { isPreferred }));
      const other = run('f', { holder: '10.0.0.2', isPreferred });
      await expect(results[4]).rejects.toMatchObject(BUSY);
      // One each would be left to both, so nobody has to make room for more.
      await expect(run('g', { holder: '10.0.0.2', isPreferred })).rejects.toMatchObject(BUSY);
      for (const name of ['a', 'b', 'c', 'f', 'd']) {
        await expect.poll(() => started).toContain(name);
        end(name);
      }
      await Promise.all([...results.slice(0, 4), other]);
      expect(started).toEqual(['a', 'b', 'c', 'f', 'd']);
    },
  );

  it('gives every second turn to the line of preferred callers', async () => {
    const { run, end, started } = buildGate();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name));
    const known = ['k1', 'k2', 'k3'].map((name) => run(name, { isPreferred: true }));
    await expect(run('k4', { isPreferred: true })).rejects.toMatchObject(BUSY);
    const order = ['a', 'b', 'k1', 'c', 'k2', 'd', 'k3', 'e'];
    for (const name of order) {
      await expect.poll(() => started).toContain(name);
      end(name);
    }
    await Promise.all([...results, ...known]);
    expect(started).toEqual(order);
  });

  it('gives the place of a task that fails to the next one', async () => {
    const runInTurn = createGate({ maxRunning: 1, maxWaiting: 1 });
    const failing = runInTurn(() => Promise.reject(new Error('no')), { holder: '10.0.0.1' });
    const next = runInTurn(async () => 'yes', { holder: '10.0.0.1' });
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
