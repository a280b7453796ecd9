import { Button, List, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { startDownload } from '#client/lib/browser/start-download.ts';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { formatNumber, showDateTime } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { OwnExport } from '#shared/api/own-data.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { exportQuery, startExport } from '../api.ts';
import { watchExport } from '../export-watch.ts';

const POLL_WHILE_RUNNING_MS = 5000;

const contents = [
  'akun Anda, perangkat yang masuk, dan catatan keamanan',
  'data PBB Anda dengan riwayat dan foto buktinya',
  'percakapan Anda dengan kantor, dengan foto dan dokumennya',
];

function AskForm({ user, isAgain }: { user: AccountAnswer; isAgain: boolean }) {
  const queryClient = useQueryClient();
  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: NO_OWN_SECRET,
    validate: (values) => ownSecretError(user, values),
    fallbackErrorText: 'Gagal membuat salinan',
    save: async (values) => {
      const started = await startExport(ownSecretBody(user, values));
      form.reset();
      await queryClient.cancelQueries({ queryKey: exportQuery.queryKey });
      queryClient.setQueryData(exportQuery.queryKey, started);
      watchExport(queryClient);
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Salinan data saya">
      <Stack gap="md">
        <FormFailure failure={failure} />
        <OwnSecretField
          user={user}
          description="Agar orang lain yang memegang HP Anda tidak dapat mengambilnya."
          inputPropsOf={form.getInputProps}
        />
        <SaveButton
          w="fit-content"
          busy={busy}
          variant={isAgain ? 'default' : 'filled'}
          leftSection={<IconFileZip size={18} aria-hidden />}
        >
          {isAgain ? 'Buat salinan baru' : 'Buat salinan'}
        </SaveButton>
      </Stack>
    </form>
  );
}

function Running({ percent, ahead }: Pick<OwnExport, 'percent' | 'ahead'>) {
  const waits = ahead !== null && ahead > 0;
  return (
    <div>
      <Text fw={500} mb={6} className="tabular">
        {waits
          ? `Menunggu giliran: ${formatNumber(ahead)} salinan lain dibuat dulu`
          : `Menyiapkan salinan… ${percent ?? 0}%`}
      </Text>
      <Progress value={percent ?? 0} size="lg" radius="xl" aria-label="Kemajuan salinan" />
      <Text fz="sm" c="dimmed" mt={6}>
        Anda boleh membuka halaman lain. Kami beri tahu bila salinannya siap.
      </Text>
    </div>
  );
}

function Ready({ bytes, expires_at: expiresAt }: Pick<OwnExport, 'bytes' | 'expires_at'>) {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async () => {
    try {
      // The link that came with the page may have ended.
      const { url } = await queryClient.fetchQuery(exportQuery);
      if (url === null) return;
      startDownload(url, 'data-saya.zip');
      notify.success('Unduhan dimulai');
    } catch (error) {
      notify.failure(error, 'Gagal mengunduh salinan');
    }
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={500}>Salinan Anda siap ({formatBytes(bytes ?? 0)}).</Text>
      <Button loading={busy} leftSection={<IconDownload size={18} aria-hidden />} onClick={() => void submit()}>
        Unduh
      </Button>
      <Text fz="sm" c="dimmed">
        Dihapus dari server {showDateTime(expiresAt ?? '')}. Simpan berkasnya di tempat yang aman: siapa pun yang
        memegangnya dapat membaca data Anda.
      </Text>
    </Stack>
  );
}

function ExportState({ found }: { found: OwnExport }) {
  const { data: user } = useQuery(ownUserQuery);
  if (found.state === 'running') return <Running {...found} />;
  return (
    <Stack gap="lg">
      {found.state === 'failed' ? (
        <FormAlert message="Salinan gagal dibuat" hint="Coba lagi. Bila gagal lagi, hubungi kantor." />
      ) : null}
      {found.state === 'ready' ? <Ready {...found} /> : null}
      {user ? <AskForm user={user} isAgain={found.state === 'ready'} /> : null}
    </Stack>
  );
}

/** 'Data saya': the copy of the own data (docs/requirements.md R-ACCESS-80). */
export function OwnDataSection() {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...exportQuery,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_WHILE_RUNNING_MS : false),
  });
  const isRunning = query.data?.state === 'running';
  useEffect(() => {
    if (isRunning) watchExport(queryClient);
  }, [isRunning, queryClient]);
  return (
    <FormSection
      title="Data saya"
      text="Unduh salinan semua data Anda sebagai satu berkas .zip. Isinya dapat dibuka tanpa internet."
    >
      <Stack gap="md">
        <List size="sm" spacing={4}>
          {contents.map((part) => (
            <List.Item key={part}>{part}</List.Item>
          ))}
        </List>
        <QueryView
          query={query}
          failedText="Gagal memuat keadaan salinan"
          loading={{ text: 'Memuat keadaan salinan…', rows: 2, height: 40 }}
        >
          {(found) => <ExportState found={found} />}
        </QueryView>
      </Stack>
    </FormSection>
  );
}
