import { Button } from '@mantine/core';
import { IconMoodSad, IconRefresh } from '@tabler/icons-react';
import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { MessagePage } from './message-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { isChunkLoadError } from './chunk-load-error.ts';

function ErrorPage({ error }: { error: unknown }) {
  const isChunkError = isChunkLoadError(error);
  usePageTitle('Terjadi kesalahan');
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
        <Button leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => window.location.reload()}>
          Muat ulang
        </Button>
      }
    />
  );
}

/** Shown instead of a page that could not be loaded or rendered. */
export function RouteError() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return <ErrorPage error={error} />;
}
