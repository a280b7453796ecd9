import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { openAcmeFiles } from '#server/operations/acme/acme-files.ts';
import {
  openPublicCertificates,
  type AcmeStatus,
  type PublicCertificates,
} from '#server/operations/acme/public-certificates.ts';

const POLL = { interval: 10 };

type OpenDeps = NonNullable<Parameters<typeof openPublicCertificates>[2]>;

export type OpenedForTest = Omit<PublicCertificates, 'start'> & {
  start: () => void;
  /** Resolves when the attempt that is under way, or the next one, has ended. */
  ended: () => Promise<AcmeStatus>;
  /** Lines of the log with their level. */
  logged: [level: string, message: string][];
};

/** A data folder with a clock, on which certificates can be opened again and again. */
export function createAcmeTest(startMs: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-acme-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = { nowMs: startMs };

  /** Opens as a start of the server does; what was opened before counts as killed. */
  function open(
    settings: { directory: string; caFile?: string; domains?: string[] },
    deps: OpenDeps = {},
  ): OpenedForTest {
    const { directory, caFile = null, domains = ['pbb.desa.id', 'www.pbb.desa.id'] } = settings;
    const logged: [string, string][] = [];
    const opened = openPublicCertificates(
      { domains, email: 'kepala@desa.id', directory, caFile, hsts: false },
      openAcmeFiles(dataDir),
      { now: () => clock.nowMs, random: () => 0, checkEveryMs: 10, pollMs: 10, ...deps },
    );
    onTestFinished(opened.stop);
    const write = (level: string) =>
      vi.fn((about: unknown, message?: string) => void logged.push([level, message ?? String(about)]));
    const log = { info: write('info'), warn: write('warn'), error: write('error') };
    return {
      ...opened,
      logged,
      start: () => opened.start(log),
      ended: async () => {
        const before = logged.length;
        const isEnd = ([, text]: [string, string]): boolean => /^(got a certificate|no certificate)/.test(text);
        await expect.poll(() => !opened.status().issuing && logged.slice(before).some(isEnd), POLL).toBe(true);
        return opened.status();
      },
    };
  }
  return { dataDir, clock, open };
}
