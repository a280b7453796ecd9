import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { storeOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { paths } from '#client/paths.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { officeIdentityQuery } from '../api.ts';
import { IdentityForm } from './identity-form.tsx';
import { LogoField } from './logo-field.tsx';

/** /admin/settings/office-identity: what the office says about itself (docs/requirements.md R-OFFICE-27). */
export function OfficeIdentityPage() {
  usePageTitle('Identitas Kantor');
  const queryClient = useQueryClient();

  /** Takes over what the server answered to a change, for this page and for every screen of this browser. */
  async function onStored(identity: OfficeIdentity): Promise<void> {
    // A load that is under way may have read the identity before this change.
    await queryClient.cancelQueries({ queryKey: officeIdentityQuery.queryKey });
    queryClient.setQueryData(officeIdentityQuery.queryKey, identity);
    storeOfficeIdentity(identity);
  }

  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Identitas Kantor"
        description="Agar warga tahu kantor mana ini. Nama tampil saat masuk, dalam chat, dan di kertas; alamat dan telepon di kertas. Semuanya boleh kosong."
      />
      <QueryView
        isPage
        query={useQuery(officeIdentityQuery)}
        failedText="Gagal memuat identitas kantor"
        loading={{ text: 'Memuat identitas kantor…', rows: 1, height: 420 }}
      >
        {(identity) => (
          <Stack gap="md" maw="46rem">
            <IdentityForm identity={identity} onStored={onStored} />
            <LogoField logoUrl={identity.logo_url} onStored={onStored} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}
