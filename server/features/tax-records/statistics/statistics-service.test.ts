import { describe, expect, it } from 'vitest';
import { shareAnswers } from './statistics-service.ts';

/** A slow source of answers, numbered in the order in which they were asked for; each ends when told to. */
function buildSource() {
  const asked: { question: string; end: (error?: Error) => void }[] = [];
  const ask = (question: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const number = asked.length + 1;
      asked.push({ question, end: (error) => (error ? reject(error) : resolve(`${question} ${number}`)) });
    });
  return { asked, ask: shareAnswers(ask) };
}

describe('shareAnswers', () => {
  it('asks at once when nobody else asks', async () => {
    const { asked, ask } = buildSource();
    const answer = ask('a');
    expect(asked).toHaveLength(1);
    asked[0]?.end();
    expect(await answer).toBe('a 1');
  });

  it('gives all who come meanwhile one answer, begun after they came', async () => {
    const { asked, ask } = buildSource();
    const first = ask('a');
    const others = Array.from({ length: 20 }, () => ask('a'));
    expect(asked).toHaveLength(1);
    asked[0]?.end();
    expect(await first).toBe('a 1');
    expect(asked).toHaveLength(2);
    const late = ask('a');
    asked[1]?.end();
    expect(new Set(await Promise.all(others))).toEqual(new Set(['a 2']));
    expect(asked).toHaveLength(3);
    asked[2]?.end();
    expect(await late).toBe('a 3');
  });

  it('does not mix questions', async () => {
    const { asked, ask } = buildSource();
    const answers = [ask('a'), ask('b')];
    expect(asked.map(({ question }) => question)).toEqual(['a', 'b']);
    for (const { end } of asked) end();
    expect(await Promise.all(answers)).toEqual(['a 1', 'b 2']);
  });

  it('remembers nothing once all are answered', async () => {
    const { asked, ask } = buildSource();
    const first = ask('a');
    asked[0]?.end();
    await first;
    const again = ask('a');
    expect(asked).toHaveLength(2);
    asked[1]?.end();
    expect(await again).toBe('a 2');
  });

  it('passes a failure only to those whose answer it was', async () => {
    const { asked, ask } = buildSource();
    const first = ask('a');
    const second = ask('a');
    asked[0]?.end(new Error('locked'));
    await expect(first).rejects.toThrow('locked');
    expect(asked).toHaveLength(2);
    asked[1]?.end(new Error('still locked'));
    await expect(second).rejects.toThrow('still locked');
    const third = ask('a');
    asked[2]?.end();
    expect(await third).toBe('a 3');
  });
});
