import { formatNumber, showDateTime } from '#client/lib/format.ts';
import type { SystemInfo } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatUptime } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';
import { Anchor } from '@mantine/core';

const MIN_FREE_BYTES = 1_000_000_000;
/** A backup copies the database before it writes the archive, and adds all images. */
const requiredBackupBytes = ({ database, proofs }: Pick<SystemInfo, 'database' | 'proofs'>): number =>
  2 * database.size_bytes + proofs.size_bytes;

/** A warning when the disk space is low for backups; null while there is enough. */
export function diskSpaceWarning(info: Pick<SystemInfo, 'disk' | 'database' | 'proofs'>): string | null {
  if (!info.disk) return null;
  const requiredBytes = requiredBackupBytes(info);
  if (info.disk.free_bytes >= Math.max(MIN_FREE_BYTES, 2 * requiredBytes)) return null;
  return info.disk.free_bytes < requiredBytes
    ? `Tidak cukup untuk mencadangkan, yang perlu sekitar ${formatBytes(requiredBytes)}. Kosongkan disk sekarang.`
    : `Hampir habis: setiap pencadangan perlu sekitar ${formatBytes(requiredBytes)}. Kosongkan disk sebelum penuh.`;
}

function DiskSpaceRow({ info }: { info: SystemInfo }) {
  const { disk } = info;
  if (!disk) return <InfoRow label="Ruang disk kosong">Tidak diketahui</InfoRow>;
  const warning = diskSpaceWarning(info);
  const note = (
    <>
      {warning === null ? `dari ${formatBytes(disk.total_bytes)}` : <strong>{warning}</strong>}
      {disk.users_refused ? <UsersRefused /> : null}
    </>
  );
  return (
    <InfoRow label="Ruang disk kosong" note={note}>
      <span className={disk.users_refused || warning !== null ? classes['bad'] : undefined}>
        {formatBytes(disk.free_bytes)}
      </span>
    </InfoRow>
  );
}

/** Says what is refused to users while the rest of the disk is left to admins (docs/requirements.md R-API-20). */
function UsersRefused() {
  return (
    <>
      <br />
      <strong>Perubahan, pesan, dan unggahan warga sekarang ditolak.</strong> Kosongkan disk komputer server: hapus
      berkas yang tidak ada hubungannya dengan aplikasi ini. Setelah ada ruang, warga dapat melanjutkan.
    </>
  );
}

/** The folder of photos and documents; one on a share can be lost while the server runs (docs/requirements.md R-RUN-29). */
function FilesRow({ info: { proofs, files_lost_at: lostAt } }: { info: SystemInfo }) {
  const label = 'Foto dan dokumen';
  if (lostAt?.length) {
    const note = (
      <>
        <strong>Unggahan di sana sekarang ditolak, dan foto tidak dapat dibuka.</strong> Beri tahu pengelola server:
        folder bersama itu harus disambungkan lagi (mount). Sesudah itu semuanya berjalan sendiri.
      </>
    );
    return (
      <InfoRow label={label} note={note}>
        <span className={classes['bad']}>Tidak tersambung di {lostAt.join(', ')}</span>
      </InfoRow>
    );
  }
  return (
    <InfoRow label={label} note="bukti pembayaran dan berkas obrolan">
      {formatNumber(proofs.count)} berkas, {formatBytes(proofs.size_bytes)}
    </InfoRow>
  );
}

/** Sizes, connected users, uptime, and the address of this page. */
export function SystemInfoRows({ info, nowMs }: { info: SystemInfo; nowMs: number }) {
  const { database, connected, started_at: startedAt } = info;
  return (
    <>
      <InfoRow label="Ukuran database">{formatBytes(database.size_bytes)}</InfoRow>
      <FilesRow info={info} />
      <DiskSpaceRow info={info} />
      <InfoRow label="Sedang terhubung">
        {formatNumber(connected.residents)} warga, {formatNumber(connected.administrators)} admin
      </InfoRow>
      <InfoRow label="Server berjalan" note={`sejak ${showDateTime(startedAt)}`}>
        <RelativeTime iso={startedAt} text={formatUptime(startedAt, nowMs)} />
      </InfoRow>
      <PageAddressRow info={info} />
    </>
  );
}

const TRUST_PATH = '/percaya';

type AddressInfo = Pick<SystemInfo, 'secure_addresses' | 'has_local_authority' | 'public'>;

const listSecureAddresses = ({ secure_addresses: secure, public: reach }: AddressInfo): string[] =>
  reach?.address ? [reach.address, ...secure] : secure;

function secureAddressText(isSecure: boolean, info: AddressInfo): string | null {
  if (isSecure) return window.location.protocol === 'https:' ? null : 'Dibuka di komputer server sendiri.';
  return listSecureAddresses(info).length > 0
    ? 'Notifikasi desktop hanya berfungsi di alamat https. Buka lewat:'
    : 'Notifikasi desktop hanya berfungsi di alamat https, yang belum dinyalakan di server ini. Minta pengelola server menyalakannya.';
}

/** Whether the address of this page is a secure context, with links to addresses that are. */
function PageAddressRow({ info }: { info: AddressInfo }) {
  const isSecure = window.isSecureContext;
  const text = secureAddressText(isSecure, info);
  return (
    <InfoRow label="Alamat halaman ini">
      <span className={classes[isSecure ? 'good' : 'bad']}>{isSecure ? 'Aman' : 'Tidak aman (http)'}</span>
      {text ? <span className={classes['note']}>{text}</span> : null}
      {isSecure ? null : (
        <ul className={classes['links']}>
          {listSecureAddresses(info).map((address) => (
            <li key={address}>
              <Anchor href={`${address}${window.location.pathname}`} inherit>
                {address}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {info.has_local_authority ? (
        <Anchor href={TRUST_PATH} className={classes['trust'] ?? ''} inherit>
          Cara mempercayai alamat ini di HP dan PC
        </Anchor>
      ) : null}
    </InfoRow>
  );
}
