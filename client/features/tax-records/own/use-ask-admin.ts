import { askAdmin } from '#client/lib/session/ask-admin.ts';
import { formatRupiah } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';

export function questionAbout({ year, spt_number, amount }: TaxRecord): string {
  return `Saya ingin bertanya tentang PBB ${year}, SPT ${formatSptNumber(spt_number)}, ${formatRupiah(amount)}: `;
}

/** Opens the chat with a question about a record; null for admins, who have no chat with themselves. */
export function useAskAdmin(): ((record: TaxRecord) => void) | null {
  const user = useSession()?.user;
  if (!user || user.is_admin) return null;
  return (record) => askAdmin({ text: questionAbout(record), record });
}
