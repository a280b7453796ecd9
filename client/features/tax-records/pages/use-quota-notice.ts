import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#client/lib/format.ts';
import type { QuotaUse } from '#shared/api/tax-records/tax-records.ts';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { quotaTexts } from '#shared/texts.ts';
import { quotaQuery } from '../api.ts';
import type { RecordScope } from '../scope.ts';
import type { ProofChange } from '../form/proof-field.tsx';
import type { QuotaNotice } from '../form/record-form.tsx';

/** The quota that a form is about: of the person who fills it in, or of the owner that an admin has chosen. */
type QuotaSubject = {
  scope: RecordScope;
  /** '' while an admin has chosen none. */
  ownerId: string;
  isNewRecord: boolean;
  hasStoredProof: boolean;
};

/** With one decimal; rounded so that what does not fit never looks as if it did. */
const megabytes = (bytes: number, round: (n: number) => number): string =>
  formatNumber(round((bytes / BYTES_PER_MB) * 10) / 10);

/**
 * The texts of a form about the quota before anything is sent (R-REC-28). They disable nothing, because the server decides:
 * somebody else may have made room meanwhile.
 */
export function useQuotaNotice(
  { scope, ownerId, isNewRecord, hasStoredProof }: QuotaSubject,
  proof: ProofChange,
): QuotaNotice {
  const isAdmin = scope === 'admin';
  const { data } = useQuery({ ...quotaQuery(isAdmin ? ownerId : null), enabled: !isAdmin || ownerId !== '' });
  if (!data) return { records: null, proof: null };
  return {
    records: isNewRecord ? recordsNotice(data, scope) : null,
    proof: proofNotice(data, scope, proof, hasStoredProof),
  };
}

function recordsNotice({ records, records_max: max }: QuotaUse, scope: RecordScope): string | null {
  return max !== null && records >= max ? quotaTexts[scope].records(max) : null;
}

/** The size of a replaced image is not known here, so then only the server can say whether the new one fits. */
function proofNotice(
  { proof_bytes: used, proof_bytes_max: max }: QuotaUse,
  scope: RecordScope,
  { file }: ProofChange,
  hasStoredProof: boolean,
): string | null {
  if (max === null || hasStoredProof) return null;
  if (used >= max) return quotaTexts[scope].proofs(max);
  const left = max - used;
  if (file === null || file.size <= left) return null;
  const whose = scope === 'admin' ? 'akun ini' : 'Anda';
  return `Sisa ruang foto bukti ${whose} ${megabytes(left, Math.floor)} MB, foto ini ${megabytes(file.size, Math.ceil)} MB. Hapus foto lama atau pilih foto yang lebih kecil.`;
}
