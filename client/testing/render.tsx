import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider, useLocation } from 'react-router-dom';
import { onTestFinished } from 'vitest';
import { theme } from '#client/ui/theme/theme.ts';
import { ConfirmHost } from '#client/ui/feedback/confirm-host.tsx';
import { createQueryClient } from '#client/lib/api/query-client.ts';
import { openSession } from '#client/lib/session/session.ts';

function OtherRoute() {
  const { pathname, search } = useLocation();
  return <p data-testid="elsewhere">{pathname + search}</p>;
}

/** Opens a session without a call to the server. */
export function signIn(user: Partial<{ id: string; name: string; email: string; is_admin: boolean }> = {}): void {
  openSession('test-token', { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', is_admin: false, ...user });
}

/** Renders routes inside the providers of the app. */
export function renderRoutes(routes: RouteObject[], at: string) {
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  // A timer of five minutes for each kept answer and a listener of the window would hold the whole page.
  onTestFinished(() => {
    queryClient.clear();
    router.dispose();
  });
  const view = render(
    <QueryClientProvider client={queryClient}>
      {/* Without its style sheets: jsdom reads them again for each computed style, and shows none of it. */}
      <MantineProvider env="test" theme={theme} withCssVariables={false} withGlobalClasses={false}>
        <Notifications transitionDuration={0} />
        <RouterProvider router={router} />
        <ConfirmHost />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return { ...view, router, queries: queryClient };
}

/**
 * Renders one page: `renderPage(<RecordDetailPage />, { path: '/tax-records/:id', at: '/tax-records/1' })`. Any other
 * address is shown as text under the test id 'elsewhere'.
 */
export function renderPage(page: ReactElement, { path = '/', at = path }: { path?: string; at?: string } = {}) {
  const view = renderRoutes(
    [
      { path, element: page },
      { path: '*', Component: OtherRoute },
    ],
    at,
  );
  return { ...view, user: userEvent.setup() };
}
