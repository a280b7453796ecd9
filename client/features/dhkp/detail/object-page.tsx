import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import { formatNumber, formatRupiah, showDate, showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { DetailList } from '#client/ui/data/detail-list.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { objectQuery } from '../api.ts';
import { assessmentStatus, bookText, listedLabels } from '../display/assessment-texts.ts';
import { useLiveClaims } from '../display/use-live-claims.ts';
import { useLiveList } from '../list/use-live-list.ts';
import { ObjectAccount } from './object-account.tsx';
import { ObjectClaims } from './object-claims.tsx';
import { OfficeForm } from './office-form.tsx';

/** /admin/dhkp/:id: one object in one tax year, its other years, and what the office decides about it. */
export function DhkpObjectPage() {
  usePageTitle('Detail objek');
  useLiveList();
  useLiveClaims();
  const { id = '' } = useParams();
  const query = useQuery(objectQuery(id));
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <BackHeader
        to={paths.adminDhkp}
        isWayBack={(previous) => previous.startsWith(paths.adminDhkp)}
        title="Detail objek"
        subject={query.data?.nop_text}
        description={query.data ? `${query.data.name ?? 'Tanpa nama'} · Tahun ${query.data.year}` : undefined}
      />
      {isMissing ? (
        <Paper withBorder>
          <EmptyState
            icon={IconFileOff}
            title={dhkpTexts.objectMissing}
            action={
              <Button component={Link} to={paths.adminDhkp} variant="light" mt="xs">
                Buka daftar objek
              </Button>
            }
          />
        </Paper>
      ) : (
        <QueryView
          isPage
          query={query}
          failedText="Gagal memuat objek"
          loading={{ text: 'Memuat objek…', rows: 3, height: 190 }}
        >
          {(assessment) => (
            <Stack gap="md">
              <FormSection title="Menurut kantor pajak" text="Berasal dari berkas, dan hanya berkas yang mengubahnya.">
                <DetailList compact items={factsOf(assessment)} />
              </FormSection>
              <ObjectAccount key={`akun-${assessment.id}`} assessment={assessment} />
              <ObjectClaims claims={assessment.claims} />
              <OfficeForm key={assessment.id} assessment={assessment} />
              <History assessment={assessment} history={assessment.history} />
            </Stack>
          )}
        </QueryView>
      )}
    </>
  );
}

const area = (squareMetres: number | null): string =>
  squareMetres === null ? '-' : `${formatNumber(squareMetres)} m²`;

function factsOf(assessment: Assessment) {
  const { authority_paid: paid } = assessment;
  return [
    { label: 'Ketetapan', value: <Money amount={assessment.amount} /> },
    { label: 'Buku', value: bookText(assessment.book) },
    { label: 'Jatuh tempo', value: showDate(assessment.due_date) },
    { label: 'Di daftar', value: assessment.listed ? listedLabels[1] : listedLabels[0] },
    { label: 'Nama wajib pajak', value: assessment.name ?? '-' },
    { label: 'Alamat objek', value: assessment.object_address ?? '-' },
    { label: 'Alamat wajib pajak', value: assessment.payer_address ?? '-' },
    { label: 'Luas tanah', value: area(assessment.land_m2) },
    { label: 'Luas bangunan', value: area(assessment.building_m2) },
    { label: 'NJOP', value: assessment.njop === null ? '-' : formatRupiah(assessment.njop) },
    { label: 'Nomor induk', value: assessment.old_number ?? '-' },
    { label: 'Kolektor menurut berkas', value: assessment.file_collector ?? '-' },
    ...(paid
      ? [
          { label: 'Dibayar menurut kantor pajak', value: paid.on === null ? 'tanpa tanggal' : showDate(paid.on) },
          { label: 'Jumlah dibayar', value: paid.amount === null ? '-' : formatRupiah(paid.amount) },
        ]
      : []),
  ];
}

/** The same NOP in all years, newest first. */
function History({ assessment, history }: { assessment: Assessment; history: readonly Assessment[] }) {
  return (
    <FormSection title="Riwayat NOP ini">
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {history.map((year) => (
          <Group key={year.id} component="li" justify="space-between" gap="0 1rem">
            <Text fw={600}>
              {year.id === assessment.id ? (
                `${year.year} (ini)`
              ) : (
                <Anchor component={Link} to={paths.adminDhkpObject(year.id)} inherit>
                  {year.year}
                </Anchor>
              )}
            </Text>
            <Text flex="1 1 12rem" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {[year.name ?? '-', assessmentStatus(year).text].join(' · ')}
            </Text>
            <Text fz="sm" c="dimmed">
              Jatuh tempo {showDateShort(year.due_date)}
            </Text>
            <Text fw={600}>
              <Money amount={year.amount} />
            </Text>
          </Group>
        ))}
      </Stack>
    </FormSection>
  );
}
