import { Card, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { officeIdentityQuery } from '../api.ts';
import { IdentityForm } from './identity-form.tsx';
import { LogoField } from './logo-field.tsx';

/** /admin/settings/office-identity: what the office says about itself (docs/requirements.md R-OFFICE-27). */
export function OfficeIdentityPage() {
  usePageTitle('Identitas Kantor');
  const query = useQuery(officeIdentityQuery);
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Identitas Kantor"
        description="Agar warga tahu kantor mana ini. Nama tampil saat masuk, dalam chat, dan di kertas; alamat dan telepon di kertas. Semuanya boleh kosong."
      />
      <Stack gap="md" maw="46rem">
        {query.isPending ? <Skeleton height={420} radius="md" aria-hidden /> : null}
        {query.error && !query.data ? (
          <Card>
            <ErrorState
              title={messageOf(query.error, 'Gagal memuat identitas kantor')}
              description={hintOf(query.error)}
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
            />
          </Card>
        ) : null}
        {query.data ? (
          <>
            <IdentityForm identity={query.data} />
            <LogoField logoUrl={query.data.logo_url} />
          </>
        ) : null}
      </Stack>
    </>
  );
}
