import { formatNumber, showDateTime } from '#client/lib/format.ts';
import type { SystemInfo } from '#shared/api/system.ts';
import { diskSpaceWarning } from './disk-room.ts';
import classes from '../settings.module.css';
import { formatBytes } from '../format-bytes.ts';
import { formatUptime } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';
import { PageAddressRow } from './page-address-row.tsx';

function DiskSpaceRow({ info }: { info: SystemInfo }) {
  const { disk } = info;
  if (!disk) return <InfoRow label="Ruang disk kosong">Tidak diketahui</InfoRow>;
  const warning = diskSpaceWarning(info);
  return (
    <InfoRow
      label="Ruang disk kosong"
      note={warning === null ? `dari ${formatBytes(disk.total_bytes)}` : <strong>{warning}</strong>}
    >
      <span className={warning === null ? undefined : classes['bad']}>{formatBytes(disk.free_bytes)}</span>
    </InfoRow>
  );
}

/** What the program takes up, who is there, since when, and whether this address is a safe one. */
export function SystemInfoRows({ info, nowMs }: { info: SystemInfo; nowMs: number }) {
  const { database, proofs, connected, started_at: startedAt } = info;
  return (
    <>
      <InfoRow label="Ukuran database">{formatBytes(database.size_bytes)}</InfoRow>
      <InfoRow label="Bukti pembayaran">
        {formatNumber(proofs.count)} gambar, {formatBytes(proofs.size_bytes)}
      </InfoRow>
      <DiskSpaceRow info={info} />
      <InfoRow label="Sedang terhubung">
        {formatNumber(connected.residents)} warga, {formatNumber(connected.administrators)} admin
      </InfoRow>
      <InfoRow label="Server berjalan" note={`sejak ${showDateTime(startedAt)}`}>
        <RelativeTime iso={startedAt} words={formatUptime(startedAt, nowMs)} />
      </InfoRow>
      <PageAddressRow info={info} />
    </>
  );
}
