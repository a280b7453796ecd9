import { Anchor } from '@mantine/core';
import { showDate, showDateTime } from '#client/lib/format.ts';
import { DAY_MS } from '#shared/durations.ts';
import type { PublicReach } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { formatTimeAgo, formatTimeUntil } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';
import { RetryCertificate } from './retry-certificate.tsx';

/** A certificate is renewed 30 days before its end; with fewer days left something is wrong. */
const ENDS_SOON_MS = 14 * DAY_MS;

type Certificate = PublicReach['certificate'];
type CertificateProps = { certificate: Certificate; nowMs: number };

/** Address and certificate of the public names, or how an office gets one. */
export function PublicReachRows({ reach, nowMs }: { reach: PublicReach | null; nowMs: number }) {
  if (!reach) {
    return (
      <InfoRow
        label="Alamat dari luar"
        note="Server ini hanya dapat dibuka di jaringan kantor. Cara membukanya untuk warga di rumah ada di panduan (menu Panduan), bab “Dari nama domain sampai HP di rumah”."
      >
        Belum ada
      </InfoRow>
    );
  }
  const { domains, address, certificate } = reach;
  return (
    <>
      <InfoRow label="Alamat dari luar" note={domains.length > 1 ? `Juga: ${domains.slice(1).join(', ')}` : null}>
        {address === null ? (
          <span className={classes['bad']}>
            <span className={classes['break']}>{domains[0]} belum dapat dibuka dengan https</span>
          </span>
        ) : (
          <Anchor href={address} className={classes['break'] ?? ''} inherit>
            {address}
          </Anchor>
        )}
      </InfoRow>
      <CertificateRow certificate={certificate} nowMs={nowMs} />
    </>
  );
}

function CertificateRow({ certificate, nowMs }: CertificateProps) {
  const { tone, text } = describeCertificate(certificate, nowMs);
  const { last_error: failure, missing_names: missing, valid_until: until } = certificate;
  return (
    <InfoRow label="Sertifikat">
      <span className={classes[tone]}>{text}</span>
      {until !== null && missing.length > 0 ? (
        <span className={classes['note']}>Belum memuat {missing.join(', ')}.</span>
      ) : null}
      {failure ? (
        <span className={classes['note']}>
          Percobaan terakhir gagal{' '}
          <RelativeTime iso={failure.at} text={formatTimeAgo(failure.at, nowMs).toLowerCase()} />: {failure.message}
        </span>
      ) : null}
      <NextAttempt certificate={certificate} nowMs={nowMs} />
      <RetryCertificate certificate={certificate} />
    </InfoRow>
  );
}

function NextAttempt({ certificate, nowMs }: CertificateProps) {
  const { last_error: failure, valid_until: until, next_attempt_at: next, issuing } = certificate;
  if (issuing || next === null) return null;
  const isRenewal = until !== null && failure === null;
  return (
    <span className={classes['note']}>
      {isRenewal
        ? `Diperbarui sendiri mulai ${showDate(next)}.`
        : `Dicoba lagi ${formatTimeUntil(next, nowMs).toLowerCase()} (${showDateTime(next)}).`}
    </span>
  );
}

function describeCertificate(
  { valid_until: until, issuing, last_error: failure, missing_names: missing }: Certificate,
  nowMs: number,
): { tone: 'good' | 'warn' | 'bad'; text: string } {
  if (until === null) {
    if (issuing) return { tone: 'warn', text: 'Sedang diambil…' };
    return { tone: 'bad', text: 'Belum ada' };
  }
  const text = `Berlaku sampai ${showDate(until)}`;
  if (Date.parse(until) - nowMs < ENDS_SOON_MS) return { tone: 'bad', text };
  return { tone: failure || missing.length > 0 ? 'warn' : 'good', text };
}
