import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresAddress } from '#server/db/postgres/address.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import { openAcmeFiles, openSharedAcmeFiles, type AcmeFiles } from '#server/operations/acme/acme-files.ts';
import { openPublicCertificates, type AcmeStatus } from '#server/operations/acme/public-certificates.ts';
import { openUserCertificate } from '#server/operations/tls/user-certificate.ts';
import { isWiderThanNeeded } from '#server/operations/tls/certificates.ts';
import { DAY_MS } from '#shared/durations.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding, Installation } from './check.ts';

const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
/** Renewal begins 30 days before the end; with fewer days left than this it has failed for long. */
const ENDS_SOON_MS = 14 * DAY_MS;

/** The certificate for the network of the office. */
export function checkCertificate({ settings: { tls, dataDir } }: Installation): Finding {
  const file = tls.files?.cert ?? join(dataDir, 'tls', 'server.crt');
  if (!tls.files && !existsSync(file)) return { what: 'sertifikat https belum ada; dibuat saat server dinyalakan' };
  try {
    // The same check as at the start of the server.
    if (tls.files) openUserCertificate(tls.files, Date.now);
    const { validToDate } = new X509Certificate(readFileSync(file));
    const what = `sertifikat https berlaku sampai ${validToDate.toISOString().slice(0, 10)}`;
    // The server renews its own certificate automatically.
    const isEnding = tls.files !== null && validToDate.getTime() - Date.now() < CERTIFICATE_WARNING_MS;
    return isEnding ? { what, advice: 'Perbarui sertifikat itu sebelum habis.' } : { what };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { what: `sertifikat https tidak dapat dipakai: ${reason}`, advice: 'Perbaiki atau ganti berkasnya.' };
  }
}

/**
 * Reports an authority of version 1.0.0, which vouches for more than it needs. This is no problem to mend at once: a
 * new authority has to be trusted again on every device, so the operator chooses when.
 */
export function checkAuthority({ settings: { tls, dataDir } }: Installation): Finding | null {
  if (tls.files) return null;
  const file = join(dataDir, 'tls', 'ca.crt');
  try {
    if (!existsSync(file) || !isWiderThanNeeded(new X509Certificate(readFileSync(file)))) return null;
  } catch {
    // The start of the server reports a certificate that cannot be read, and so does the line before this one.
    return null;
  }
  return {
    what:
      'sertifikat induk https dibuat versi lama dan menjamin lebih banyak daripada yang perlu; tetap dapat dipakai. ' +
      'Menggantinya: lihat "Sertifikat induk dari versi lama" di panduan (help panduan)',
  };
}

/**
 * The certificate of the public names, as the data folder or the database tells it beside a running server or without one.
 * @throws ListenError when a file cannot be read, and what the database reports
 */
export async function readAcmeStatus({ tls, dataDir, postgres }: Settings, nowMs: number): Promise<AcmeStatus | null> {
  if (!tls.public) return null;
  const files = postgres ? await readSharedFiles(postgres.address) : openAcmeFiles(dataDir);
  return openPublicCertificates(tls.public, files, { now: () => nowMs }).status();
}

async function readSharedFiles(address: PostgresAddress): Promise<AcmeFiles> {
  // An office on a file needs none of this code.
  const { readSharedTexts } = await import('#server/db/postgres/shared-texts.ts');
  return readSharedTexts(address, openSharedAcmeFiles);
}

/** The certificate of the public names, and what keeps it from being renewed. */
export async function* checkPublicCertificate({ settings, computer }: Installation): AsyncGenerator<Finding> {
  const nowMs = computer.now();
  let status: AcmeStatus | null;
  try {
    status = await readAcmeStatus(settings, nowMs);
  } catch (error) {
    // The check of the database says why it does not answer.
    if (!(error instanceof ListenError) && settings.postgres === null) throw error;
    const reason = error instanceof ListenError ? error.message : 'database tidak menjawab';
    yield {
      what: `sertifikat publik tidak dapat diperiksa: ${reason}`,
      advice: 'Perbaiki berkas atau setelan itu.',
    };
    return;
  }
  if (!status) return;
  yield describeStatus(status, settings.timeZone, nowMs);
  const missing = status.names.filter((name) => !status.certified_names.includes(name));
  if (status.valid_until === null || missing.length === 0) return;
  yield {
    what: `sertifikat belum memuat ${missing.join(', ')}`,
    advice: 'Jalankan server: nama itu ditambahkan sendiri, sesudah namanya menunjuk ke sini dan porta 80 terbuka.',
  };
}

function describeStatus(
  { names, valid_until: until, last_error: failure, next_attempt_at: next }: AcmeStatus,
  timeZone: string,
  nowMs: number,
): Finding {
  const shown = (at: string): string =>
    new Intl.DateTimeFormat('id-ID', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at));
  const again = next === null ? '' : ` Dicoba lagi ${shown(next)}, selama server berjalan.`;
  if (until === null) {
    const what = `sertifikat untuk ${names.join(', ')} belum ada`;
    if (!failure) {
      // The attempt before was broken off with the server.
      const isWaiting = next !== null && Date.parse(next) > nowMs;
      return { what: `${what}; diminta ${isWaiting ? `${shown(next)}, bila` : 'begitu'} server berjalan` };
    }
    return { what: `${what}: percobaan ${shown(failure.at)} gagal`, advice: `${failure.message}${again}` };
  }
  const what = `sertifikat publik berlaku sampai ${until.slice(0, 10)}`;
  if (failure) {
    return { what: `${what}; pembaruan ${shown(failure.at)} gagal`, advice: `${failure.message}${again}` };
  }
  if (Date.parse(until) - nowMs >= ENDS_SOON_MS) return { what };
  return {
    what,
    advice: 'Jalankan server: sertifikat diperbarui sendiri selama server berjalan dan terhubung ke internet.',
  };
}
