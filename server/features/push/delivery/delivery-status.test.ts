import { expect, it } from 'vitest';
import { HOUR_MS } from '#shared/durations.ts';
import { createDeliveryStatus } from './delivery-status.ts';
import { NOT_PUBLIC, THREAD_ENDED } from '../sending/push.ts';

const FCM = 'https://fcm.example';
const MOZILLA = 'https://mozilla.example';
const MADE_UP = 'https://dibuat-buat.example';
const unreachable = (reason: string) => ({ kind: 'unreachable', reason }) as const;

it('takes no made-up push service for a lost connection, nor what is wrong in this computer', () => {
  let nowMs = 0;
  const status = createDeliveryStatus(
    () => nowMs,
    () => nowMs,
  );
  const reachesOut = () => status.read().reaches_out;
  for (const reason of [NOT_PUBLIC, THREAD_ENDED]) status.note(FCM, unreachable(reason));
  expect(reachesOut()).toBeNull();
  // Nothing is known before the first push that was accepted.
  status.note(MADE_UP, unreachable('ENOTFOUND'));
  expect(reachesOut()).toBe(false);
  status.note(FCM, { kind: 'sent' });
  nowMs += HOUR_MS;
  for (const reason of ['ENOTFOUND', NOT_PUBLIC]) status.note(MADE_UP, unreachable(reason));
  expect(reachesOut()).toBe(true);
  status.note(FCM, unreachable('ETIMEDOUT'));
  for (const reason of ['ENOTFOUND', NOT_PUBLIC]) status.note(MADE_UP, unreachable(reason));
  expect(reachesOut()).toBe(false);
  expect(status.read()).toMatchObject({ sent: 1, failed: 0 });
  // Its earlier answer proves nothing once it cannot be reached; the answer of another one does.
  status.note(FCM, { kind: 'sent' });
  expect(reachesOut()).toBe(true);
  status.note(FCM, unreachable('ENOTFOUND'));
  expect(reachesOut()).toBe(false);
  status.note(MOZILLA, { kind: 'sent' });
  status.note(FCM, unreachable('ETIMEDOUT'));
  expect(reachesOut()).toBe(true);
});
