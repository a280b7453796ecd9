import { describe, expect, it } from 'vitest';
import { coalesceCalls } from './statistics-service.ts';

/** A slow source of answers, numbered in the order of the calls; the test ends each of them. */
function buildSlowCall() {
  const calls: { question: string; end: (error?: Error) => void }[] = [];
  const call = (argument: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const number = calls.length + 1;
      calls.push({ question: argument, end: (error) => (error ? reject(error) : resolve(`${argument} ${number}`)) });
    });
  return { asked: calls, ask: coalesceCalls(call) };
}

describe('shareAnswers', () => {
  it('computes an answer at once when no other call is running', async () => {
    const { asked: calls, ask: call } = buildSlowCall();
    const answer = call('a');
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    expect(await answer).toBe('a 1');
  });

  it('gives all calls that come meanwhile one answer, which starts after them', async () => {
    const { asked: calls, ask: call } = buildSlowCall();
    const first = call('a');
    const others = Array.from({ length: 20 }, () => call('a'));
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    expect(await first).toBe('a 1');
    expect(calls).toHaveLength(2);
    const late = call('a');
    calls[1]?.end();
    expect(new Set(await Promise.all(others))).toEqual(new Set(['a 2']));
    expect(calls).toHaveLength(3);
    calls[2]?.end();
    expect(await late).toBe('a 3');
  });

  it('keeps the answers of different questions apart', async () => {
    const { asked: calls, ask: call } = buildSlowCall();
    const answers = [call('a'), call('b')];
    expect(calls.map(({ question: argument }) => argument)).toEqual(['a', 'b']);
    for (const { end } of calls) end();
    expect(await Promise.all(answers)).toEqual(['a 1', 'b 2']);
  });

  it('keeps no state once all calls are answered', async () => {
    const { asked: calls, ask: call } = buildSlowCall();
    const first = call('a');
    calls[0]?.end();
    await first;
    const again = call('a');
    expect(calls).toHaveLength(2);
    calls[1]?.end();
    expect(await again).toBe('a 2');
  });

  it('passes an error only to the calls that share its answer', async () => {
    const { asked: calls, ask: call } = buildSlowCall();
    const first = call('a');
    const second = call('a');
    calls[0]?.end(new Error('locked'));
    await expect(first).rejects.toThrow('locked');
    expect(calls).toHaveLength(2);
    calls[1]?.end(new Error('still locked'));
    await expect(second).rejects.toThrow('still locked');
    const third = call('a');
    calls[2]?.end();
    expect(await third).toBe('a 3');
  });
});
