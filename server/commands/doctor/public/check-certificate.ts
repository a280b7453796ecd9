import { ListenError } from '#server/http/listen/listen.ts';
import { openPublicCertificates } from '#server/operations/acme/public-certificates.ts';
import type { AcmeStatus } from '#server/operations/acme/acme-status.ts';
import type { Settings } from '#server/settings.ts';
import { DAY_MS } from '#shared/durations.ts';
import type { Finding } from '../finding.ts';

/** Renewal begins 30 days before the end; with fewer days left than this it has failed for long. */
const ENDS_SOON_MS = 14 * DAY_MS;

/** The certificate of the public names, as the data folder tells it beside a running server or without one. */
export function* checkPublicCertificate(settings: Settings, nowMs: number): Generator<Finding> {
  if (!settings.tls.public) return;
  let status: AcmeStatus;
  try {
    status = openPublicCertificates(settings.tls.public, settings.dataDir, { now: () => nowMs }).status();
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    yield {
      what: `sertifikat publik tidak dapat diperiksa: ${error.message}`,
      todo: 'Perbaiki berkas atau setelan itu.',
    };
    return;
  }
  yield describeStatus(status, settings.timeZone, nowMs);
  const missing = status.names.filter((name) => !status.certified_names.includes(name));
  if (status.valid_until === null || missing.length === 0) return;
  yield {
    what: `sertifikat belum memuat ${missing.join(', ')}`,
    todo: 'Jalankan server: nama itu ditambahkan sendiri, sesudah namanya menunjuk ke sini dan porta 80 terbuka.',
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
    return { what: `${what}: percobaan ${shown(failure.at)} gagal`, todo: `${failure.message}${again}` };
  }
  const what = `sertifikat publik berlaku sampai ${until.slice(0, 10)}`;
  if (failure) {
    return { what: `${what}; pembaruan ${shown(failure.at)} gagal`, todo: `${failure.message}${again}` };
  }
  if (Date.parse(until) - nowMs >= ENDS_SOON_MS) return { what };
  return {
    what,
    todo: 'Jalankan server: sertifikat diperbarui sendiri selama server berjalan dan terhubung ke internet.',
  };
}
