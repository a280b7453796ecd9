import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#client/lib/format.ts';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { userQuotaQuery } from '../api.ts';

const megabytes = (bytes: number): string => formatNumber(Math.round((bytes / BYTES_PER_MB) * 10) / 10);

/** Files of less than one megabyte together are not '0': the admin would think that there are none. */
function proofsText(bytes: number, max: number | null): string {
  const limit = max === null ? '' : `dari ${megabytes(max)} MB`;
  if (bytes > 0 && bytes < BYTES_PER_MB) return `kurang dari 1 MB${limit && ` (${limit})`}`;
  return `${megabytes(bytes)} ${limit || 'MB'}`;
}

/** One line about what an account has stored, for admins (R-REC-28). Nothing while it loads or when it cannot. */
export function QuotaUseLine({ userId }: { userId: string }) {
  const { data } = useQuery(userQuotaQuery(userId));
  if (!data) return null;
  const recordsMax = data.records_max === null ? '' : ` dari ${formatNumber(data.records_max)}`;
  return (
    <Text fz="sm" c="dimmed" className="tabular">
      Tersimpan: {formatNumber(data.records)}
      {recordsMax} data PBB, foto dan dokumen {proofsText(data.proof_bytes, data.proof_bytes_max)}
    </Text>
  );
}
