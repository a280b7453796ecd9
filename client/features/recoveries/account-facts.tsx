import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber, formatRupiah, showDate } from '#client/lib/format.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { knownRecordsQuery, phoneSinceQuery } from './api.ts';

const OBJECTS_MAX = 3;

/** The objects of the records, each once with its newest address. */
function objectTexts(records: readonly TaxRecord[]): string[] {
  const addresses = new Map<string, string>();
  for (const { spt_number, address } of records) {
    const number = formatSptNumber(spt_number);
    if (!addresses.has(number)) addresses.set(number, address);
  }
  return [...addresses].map(([number, address]) => `${address} · ${number}`);
}

type Props = { userId: string; hasPhone: boolean };

/** The objects of an account, its last amount and since when it has its number: a help to recognise its owner, never proof. */
export function AccountFacts({ userId, hasPhone }: Props) {
  const records = useQuery(knownRecordsQuery(userId));
  const { data: phoneSince } = useQuery({ ...phoneSinceQuery(userId), enabled: hasPhone });
  return (
    <Stack gap={2} fz="sm">
      <QueryView
        query={records}
        failedText="Gagal memuat data PBB"
        loading={{ text: 'Memuat data PBB…', rows: 1, height: 18 }}
      >
        {({ data }) => <KnownRecords records={data} />}
      </QueryView>
      {phoneSince ? <Text fz="sm">Nomor HP ini sejak {showDate(phoneSince)}</Text> : null}
    </Stack>
  );
}

function KnownRecords({ records }: { records: readonly TaxRecord[] }) {
  const [newest] = records;
  if (!newest) return <Text fz="sm">Belum ada data PBB</Text>;
  const objects = objectTexts(records);
  return (
    <>
      {objects.slice(0, OBJECTS_MAX).map((text) => (
        <Text key={text} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      ))}
      {objects.length > OBJECTS_MAX ? (
        <Text fz="sm">dan {formatNumber(objects.length - OBJECTS_MAX)} objek lain</Text>
      ) : null}
      <Text fz="sm">
        Tagihan terakhir {formatRupiah(newest.amount)} (tahun {newest.year})
      </Text>
    </>
  );
}
