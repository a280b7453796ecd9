import { Button } from '@mantine/core';
import { IconMoodSad, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { probeServer } from '#client/lib/api/api.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { MessagePage } from './message-page.tsx';
import { browser, isChunkLoadError } from './chunk-load-error.ts';

function ErrorPage({ error }: { error: unknown }) {
  const isChunkError = isChunkLoadError(error);
  const [isUnreachable, setIsUnreachable] = useState(false);
  usePageTitle('Terjadi kesalahan');
  // Without an answer a reload would show the browser's own error page.
  const { submit, busy } = useSubmit(async () => {
    const isReachable = await probeServer();
    setIsUnreachable(!isReachable);
    if (isReachable) browser.reload();
  });
  return (
    <MessagePage
      icon={IconMoodSad}
      title="Halaman ini gagal dimuat"
      text={
        isChunkError
          ? 'Aplikasi baru saja diperbarui atau koneksi Anda terputus. Muat ulang untuk melanjutkan.'
          : 'Terjadi kesalahan yang tidak terduga. Data Anda yang sudah tersimpan tetap aman.'
      }
      action={
        <>
          {isUnreachable ? (
            <FormAlert message="Tidak ada sambungan ke server." hint="Periksa koneksi Anda lalu coba lagi." />
          ) : null}
          <Button leftSection={<IconRefresh size={18} aria-hidden />} loading={busy} onClick={() => void submit()}>
            Muat ulang
          </Button>
        </>
      }
    />
  );
}

/** Shown instead of a page that could not be loaded or rendered. */
export function RouteError() {
  return <ErrorPage error={useRouteError()} />;
}
