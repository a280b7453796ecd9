import type { PushReach } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { NOT_PUBLIC, type PushOutcome, THREAD_ENDED } from '../sending/push.ts';

/** An answer of another push service that is not older proves that pushes get out, although this one does not answer. */
const PROOF_MS = 2 * MINUTE_MS;
const ORIGINS_MAX = 100;
/** They say nothing of the internet. */
const LOCAL_REASONS = [NOT_PUBLIC, THREAD_ENDED];

/** The line for admins about a push that was not accepted. */
export function describeFailure(host: string, outcome: PushOutcome): string {
  switch (outcome.kind) {
    case 'busy':
      return `${host} sedang sibuk (kode ${outcome.status}); notifikasi dicoba lagi nanti.`;
    case 'refused':
      if (outcome.status === 401 || outcome.status === 403) {
        return `${host} menolak notifikasi (kode ${outcome.status}). Periksa tanggal dan jam komputer server.`;
      }
      return `${host} menolak notifikasi (kode ${outcome.status}).`;
    case 'unreachable':
      if (outcome.reason === NOT_PUBLIC) return `${host} bukan alamat internet umum; notifikasi tidak dikirim ke sana.`;
      if (outcome.reason === THREAD_ENDED)
        return 'Bagian server yang mengirim notifikasi berhenti; dicoba lagi sendiri. Penyebabnya ada di log server.';
      return `${host} tidak dapat dihubungi (${outcome.reason}). Periksa sambungan internet komputer server; notifikasi dicoba lagi.`;
    case 'gone':
    case 'sent':
      return '';
  }
}

/** Counts the results of pushes since the start of the server. */
export function createDeliveryStatus(now: () => number, monotonicNow: () => number) {
  let sent = 0;
  let failed = 0;
  let lastFailure: { at: string; message: string } | null = null;
  /** The time of the last answer of each push service, the newest at the end. */
  const answers = new Map<string, number>();
  let lastUnreachable: string | null = null;
  /** They accepted a push. A user may name one that does not exist; that must not look like a lost connection. */
  const proven = new Set<string>();

  return {
    /** One attempt. @param origin of the push service */
    note(origin: string, outcome: PushOutcome): void {
      if (outcome.kind === 'sent') {
        sent += 1;
        if (proven.size < ORIGINS_MAX) proven.add(origin);
      }
      if (outcome.kind === 'refused') failed += 1;
      if (outcome.kind !== 'unreachable') {
        lastUnreachable = null;
        answers.delete(origin);
        answers.set(origin, monotonicNow());
        const [oldest = origin] = answers.keys();
        if (answers.size > ORIGINS_MAX) answers.delete(oldest);
      } else if (!LOCAL_REASONS.includes(outcome.reason) && (proven.size === 0 || proven.has(origin))) {
        lastUnreachable = origin;
      }
      if (outcome.kind === 'sent' || outcome.kind === 'gone') return;
      const message = describeFailure(new URL(origin).hostname, outcome);
      lastFailure = { at: new Date(now()).toISOString(), message };
    },
    /** A message that became too old before a push service accepted it. */
    noteGivenUp: (): void => void (failed += 1),
    read(): Pick<PushReach, 'sent' | 'failed' | 'last_failure' | 'reaches_out'> {
      const isProven = [...answers].some(
        ([origin, at]) => origin !== lastUnreachable && monotonicNow() - at < PROOF_MS,
      );
      const reachesOut = lastUnreachable !== null ? isProven : answers.size === 0 ? null : true;
      return { sent, failed, last_failure: lastFailure, reaches_out: reachesOut };
    },
  };
}
