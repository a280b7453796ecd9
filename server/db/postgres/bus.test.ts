import { expect, it } from 'vitest';
import { createReader, payloadsOf } from './bus.ts';

const PAYLOAD_MAX_BYTES = 8000;
const long = JSON.stringify(Array.from({ length: 900 }, (_, index) => `Pesan ke-${index} é 🏠`));

it('carries a long text in parts that PostgreSQL takes', () => {
  const payloads = payloadsOf('a', long);
  expect(payloads.length).toBeGreaterThan(2);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(PAYLOAD_MAX_BYTES);
  const read = createReader();
  expect(payloads.map(read).filter(Boolean)).toEqual([{ from: 'a', text: long }]);
});

it('keeps the parts of several senders apart', () => {
  const [one, other] = [payloadsOf('a', long), payloadsOf('b', long)];
  const read = createReader();
  const texts = one.flatMap((payload, index) => [read(payload), read(other[index] ?? '')]).filter(Boolean);
  expect(texts).toEqual([
    { from: 'a', text: long },
    { from: 'b', text: long },
  ]);
});

it('leaves out a text whose beginning it has not got, and reads the next one', () => {
  const [, ...rest] = payloadsOf('a', long);
  const read = createReader();
  expect(rest.map(read).filter(Boolean)).toEqual([]);
  expect(payloadsOf('a', 'pendek').map(read)).toEqual([{ from: 'a', text: 'pendek' }]);
});

it('leaves out a text whose sender has begun anew', () => {
  const [first = ''] = payloadsOf('a', long);
  const read = createReader();
  const payloads = [first, ...payloadsOf('a', long)];
  expect(payloads.map(read).filter(Boolean)).toEqual([{ from: 'a', text: long }]);
});
