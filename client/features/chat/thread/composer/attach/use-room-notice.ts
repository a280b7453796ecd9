import { useQuery } from '@tanstack/react-query';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { quotaTexts } from '#shared/texts.ts';
import { quotaQuery } from '#client/features/tax-records/api.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { OutboxFile } from '../../../outbox/files/outbox-file.ts';

/** With one decimal; rounded so that what does not fit never looks as if it did. */
const megabytes = (bytes: number, round: (n: number) => number): string =>
  formatNumber(round((bytes / BYTES_PER_MB) * 10) / 10);

/**
 * Says before the upload that a user's files do not fit into the room that is left (docs/requirements.md R-FILE-43). It disables
 * nothing, because the server decides: the office may have given more room meanwhile.
 */
export function useRoomNotice(files: readonly OutboxFile[]): string | null {
  const { data } = useQuery({ ...quotaQuery(null), enabled: files.length > 0 });
  if (!data || files.length === 0) return null;
  const { proof_bytes: used, proof_bytes_max: max } = data;
  if (max === null) return null;
  if (used >= max) return quotaTexts.own.proofs(max);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= max - used) return null;
  return `Sisa ruang berkas Anda ${megabytes(max - used, Math.floor)} MB, lampiran ini ${megabytes(bytes, Math.ceil)} MB. Hapus sebagian, atau pilih berkas yang lebih kecil.`;
}
