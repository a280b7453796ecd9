import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSession } from '#client/lib/session/session.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { MessagePage } from './message-page.tsx';
import { paths, startPath } from '#client/paths.ts';

export function NotFoundPage() {
  const session = useSession();
  usePageTitle('Halaman tidak ditemukan');
  return (
    <MessagePage
      icon={IconMapQuestion}
      title="Halaman tidak ditemukan"
      text="Alamat yang Anda buka tidak ada atau sudah dipindahkan. Periksa kembali alamatnya, atau mulai dari halaman utama."
      action={
        <Button component={Link} to={session ? startPath(session.user?.is_admin ?? false) : paths.login}>
          {session ? 'Ke Dashboard' : 'Ke halaman masuk'}
        </Button>
      }
    />
  );
}
