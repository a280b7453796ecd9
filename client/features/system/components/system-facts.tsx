import { formatNumber, showDateTime } from '#client/lib/format.ts';
import type { SystemInfo } from '#shared/api/system.ts';
import { roomWarning } from '../disk-room.ts';
import classes from '../settings.module.css';
import { sizeWords } from '../size-words.ts';
import { sinceWords } from '../time-words.ts';
import { Fact, Moment } from './fact.tsx';
import { SecureAddress } from './secure-address.tsx';

function DiskRoom({ info }: { info: SystemInfo }) {
  const { disk } = info;
  if (!disk) return <Fact label="Ruang disk kosong">Tidak diketahui</Fact>;
  const warning = roomWarning(info);
  return (
    <Fact
      label="Ruang disk kosong"
      note={warning === null ? `dari ${sizeWords(disk.total_bytes)}` : <strong>{warning}</strong>}
    >
      <span className={warning === null ? undefined : classes['bad']}>{sizeWords(disk.free_bytes)}</span>
    </Fact>
  );
}

/** What the program takes up, who is there, since when, and whether this address is a safe one. */
export function SystemFacts({ info, nowMs }: { info: SystemInfo; nowMs: number }) {
  const { database, proofs, connected, started_at: startedAt } = info;
  return (
    <>
      <Fact label="Ukuran database">{sizeWords(database.size_bytes)}</Fact>
      <Fact label="Bukti pembayaran">
        {formatNumber(proofs.count)} gambar, {sizeWords(proofs.size_bytes)}
      </Fact>
      <DiskRoom info={info} />
      <Fact label="Sedang terhubung">
        {formatNumber(connected.residents)} warga, {formatNumber(connected.administrators)} admin
      </Fact>
      <Fact label="Server berjalan" note={`sejak ${showDateTime(startedAt)}`}>
        <Moment iso={startedAt} words={sinceWords(startedAt, nowMs)} />
      </Fact>
      <SecureAddress info={info} />
    </>
  );
}
