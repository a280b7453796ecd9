import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { getDefaultStore } from 'jotai';
import { type ReactNode, useEffect, useState } from 'react';
import { createQueryClient } from '#client/lib/api/query-client.ts';
import { bindReachabilityProbe } from '#client/lib/api/reachability-probe.ts';
import { onReachableAgain, reportNoAnswer, setServerReachable } from '#client/lib/api/server-reachability.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { bindSessionToOtherTabs } from '#client/lib/session/session-tabs.ts';
import { onSessionChange } from '#client/lib/session/session.ts';
import { LazyOverlays } from './overlays/lazy-overlays.tsx';
import { cssVariables, theme } from '#client/ui/theme/theme.ts';
import { useLightSchemeInPrint } from '#client/ui/print/use-light-scheme-in-print.ts';

/** The socket notices first that the server is away, and that it is back. */
function bindSocketToReachability(): () => void {
  const store = getDefaultStore();
  return store.sub(socketConnectedAtom, () => {
    if (store.get(socketConnectedAtom)) setServerReachable(true);
    else reportNoAnswer();
  });
}

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);

  useLightSchemeInPrint();
  useEffect(bindSessionToOtherTabs, []);
  useEffect(bindReachabilityProbe, []);
  useEffect(bindSocketToReachability, []);
  // Queries that failed meanwhile load again without a click.
  useEffect(
    () =>
      onReachableAgain(
        () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null }),
      ),
    [queryClient],
  );
  // Data of one user must not be shown to the next user of the same device.
  useEffect(
    () =>
      onSessionChange((session) => {
        queryClient.clear();
        // A toast may show the beginning of a message.
        if (!session) notifications.clean();
      }),
    [queryClient],
  );

  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        {children}
        <LazyOverlays />
      </MantineProvider>
    </QueryClientProvider>
  );
}
