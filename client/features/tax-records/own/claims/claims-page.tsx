import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { paths } from '#client/paths.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { ownClaimsQuery } from './api.ts';
import { ClaimForm } from './claim-form.tsx';
import { OwnClaims } from './own-claims.tsx';

/** /tax-records/claims (R-DHKP-42). */
export function ClaimsPage() {
  usePageTitle('Ambil dari daftar kantor');
  const query = useQuery({ ...ownClaimsQuery, staleTime: 0 });
  return (
    <>
      <BackHeader
        to={paths.records}
        title="Ambil dari daftar kantor"
        description="Tulis NOP dari SPPT Anda; isian lain diambil dari daftar kantor."
      />
      <Stack gap="md">
        <ClaimForm />
        <QueryView
          query={query}
          failedText="Gagal memuat permintaan"
          loading={{ text: 'Memuat permintaan…', rows: 1, height: 56 }}
        >
          {({ data }) =>
            data.length === 0 ? null : (
              <FormSection title="Permintaan Anda">
                <OwnClaims claims={data} />
              </FormSection>
            )
          }
        </QueryView>
      </Stack>
    </>
  );
}
