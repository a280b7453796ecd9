import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Stack } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { FactorSetUp, type SetUpState } from '#client/features/second-factor/display/factor-set-up.tsx';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { type SessionUser, updateSessionUser, useSession } from '#client/lib/session/session.ts';
import { paths, startPath } from '#client/paths.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { AuthShell } from './components/auth-shell.tsx';

const TITLE = 'Pasang kode kedua dulu';
/** Shown after a set-up whose answer was lost: the spare codes in it were shown to no one. */
const ALREADY_ON =
  'Kode kedua sudah terpasang. Kode cadangannya belum Anda lihat: di Akun Saya, matikan kode kedua lalu pasang lagi.';

type Props = { signOutButton: ReactNode };

/** /second-factor: the only page of an admin without a second factor where the office asks for one (docs/requirements.md R-ACCESS-39). */
export function MustSetUpFactor({ signOutButton }: Props) {
  usePageTitle(TITLE);
  const session = useSession();
  if (!session) return <Navigate to={paths.login} replace />;
  const { user } = session;
  // Also after the set-up: then all pages are open again.
  if (!user?.must_set_up_second_factor) return <Navigate to={startPath(user?.is_admin ?? false)} replace />;
  return (
    <AuthShell
      title={TITLE}
      description="Kantor ini mewajibkan kode kedua untuk administrator: selain password, Anda mengetik 6 angka dari aplikasi di HP Anda."
    >
      <Stack>
        <SetUp user={user} />
        {signOutButton}
      </Stack>
    </AuthShell>
  );
}

function SetUp({ user }: { user: SessionUser }) {
  const queryClient = useQueryClient();
  const query = useQuery(ownUserQuery);
  const { data, isFetchedAfterMount, refetch } = query;
  const [state, setState] = useState<SetUpState>('idle');
  const isOn = isFetchedAfterMount && data?.has_second_factor === true && state === 'idle';

  const leave = useCallback(
    (text: string) => {
      // Answers of before say that this page must come first.
      queryClient.clear();
      updateSessionUser({ ...user, must_set_up_second_factor: false });
      notify.success(text);
    },
    [queryClient, user],
  );

  useEffect(() => {
    if (isOn) leave(ALREADY_ON);
  }, [isOn, leave]);

  return (
    <QueryView query={query} failedText="Gagal memuat akun" loading={{ text: 'Memuat akun…', rows: 2, height: 60 }}>
      {(account) => (
        <FactorSetUp
          user={account}
          asksSetupCode
          onState={(next) => {
            // A failed try may have been one whose answer was lost.
            if (state === 'busy' && next === 'idle') void refetch();
            setState(next);
          }}
          onDone={() => leave('Kode kedua terpasang')}
        />
      )}
    </QueryView>
  );
}
