import { describe, expect, it } from 'vitest';
import { createGate, type GateOptions } from './password-gate.ts';

const BUSY = { status: 503, message: 'Server sedang sibuk. Coba lagi.', headers: { 'retry-after': '2' } };

/** A gate whose tasks end when the test says so. */
function buildGate() {
  const runInTurn = createGate({ maxRunning: 2, maxWaiting: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, options?: GateOptions): Promise<string> =>
    runInTurn(async () => {
      started.push(name);
      await new Promise<void>((resolve) => void ends.set(name, resolve));
      return name;
    }, options);
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

  it('lets preferred callers go first and takes the place of another one when it is full', async () => {
    const { run, end, started } = buildGate();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name));
    const known = ['k1', 'k2', 'k3'].map((name) => run(name, { isPreferred: true }));
    const refused = await Promise.allSettled(results.slice(2));
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(run('k4', { isPreferred: true })).rejects.toMatchObject(BUSY);
    for (const name of ['a', 'b', 'k1', 'k2', 'k3']) {
      await expect.poll(() => started).toContain(name);
      end(name);
    }
    await Promise.all(known);
    expect(started).toEqual(['a', 'b', 'k1', 'k2', 'k3']);
  });

  it('gives the place of a task that fails to the next one', async () => {
    const runInTurn = createGate({ maxRunning: 1, maxWaiting: 1 });
    const failing = runInTurn(() => Promise.reject(new Error('no')));
    const next = runInTurn(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
