import { expect, it } from 'vitest';
import type { BackupStatus } from '#shared/api/system.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { findBackupIssue } from './backup-health.ts';

function buildStatus(changes: Partial<BackupStatus>): BackupStatus {
  const last = { name: 'a.tar', kind: 'periodic', created_at: '2026-06-10T05:00:00.000Z', size_bytes: 1 } as const;
  return {
    now: '2026-06-10T06:00:00.000Z',
    every_hours: 2,
    next_at: null,
    last,
    failure: null,
    running: null,
    second_folder: null,
    total_bytes: 1,
    ...changes,
  };
}

it('judges the age of the last backup by the time that no clock changes', () => {
  const clockSetForward = { now: '2026-07-10T06:00:00.000Z', last_age_ms: HOUR_MS };
  expect(findBackupIssue(buildStatus(clockSetForward))).toBeNull();
  const clockSetBack = { now: '2026-06-01T06:00:00.000Z', last_age_ms: 25 * HOUR_MS };
  expect(findBackupIssue(buildStatus(clockSetBack))).toMatchObject({ message: 'Cadangan sudah terlalu lama' });
});

it('judges by the clock where the server does not tell the age', () => {
  expect(findBackupIssue(buildStatus({}))).toBeNull();
  expect(findBackupIssue(buildStatus({ now: '2026-06-12T06:00:00.000Z' }))).toMatchObject({
    message: 'Cadangan sudah terlalu lama',
  });
});
