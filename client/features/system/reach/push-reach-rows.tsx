import { formatNumber } from '#client/lib/format.ts';
import type { PushReach } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { formatTimeAgo } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';

/** Why an office without https has no subscriptions: browsers give them to secure pages only. */
function subscriptionsNote(subscriptions: number): string | null {
  if (subscriptions > 0) return null;
  return window.isSecureContext
    ? 'Belum ada yang menyalakan notifikasi di HP atau komputernya.'
    : 'Notifikasi hanya dapat dinyalakan di alamat https; halaman ini dibuka lewat http.';
}

/** The number of browsers that get notifications, the results of sending, and whether the server reaches the push services. */
export function PushReachRows({ push, nowMs }: { push: PushReach; nowMs: number }) {
  const { subscriptions, sent, failed, waiting } = push;
  const isUsed = subscriptions > 0 || sent > 0 || failed > 0;
  return (
    <>
      <InfoRow label="Penerima notifikasi" note={subscriptionsNote(subscriptions)}>
        {formatNumber(subscriptions)} perangkat
      </InfoRow>
      {isUsed ? (
        <>
          <InfoRow label="Notifikasi terkirim" note="sejak server dijalankan">
            {formatNumber(sent)} terkirim, {formatNumber(failed)} gagal
            {waiting > 0 ? `, ${formatNumber(waiting)} menunggu` : ''}
          </InfoRow>
          <DeliveryRow push={push} nowMs={nowMs} />
        </>
      ) : null}
    </>
  );
}

function DeliveryRow({
  push: { reaches_out: reachesOut, last_failure: failure },
  nowMs,
}: {
  push: PushReach;
  nowMs: number;
}) {
  return (
    <InfoRow label="Layanan notifikasi">
      {reachesOut === null ? <span className={classes['dim']}>Belum ada yang dikirim</span> : null}
      {reachesOut === true ? <span className={classes['good']}>Terjangkau</span> : null}
      {reachesOut === false ? (
        <>
          <span className={classes['bad']}>Tidak terjangkau</span>
          <span className={classes['note']}>
            Server tidak dapat menghubungi internet. Pesan tetap tersimpan dan terbaca di aplikasi; notifikasi dikirim
            lagi begitu tersambung.
          </span>
        </>
      ) : null}
      {failure ? (
        <span className={classes['note']}>
          Kegagalan terakhir <RelativeTime iso={failure.at} text={formatTimeAgo(failure.at, nowMs).toLowerCase()} />:{' '}
          {failure.message}
        </span>
      ) : null}
    </InfoRow>
  );
}
