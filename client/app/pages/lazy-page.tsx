import { type ComponentType, useEffect, useState, useRef } from 'react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { RouteObject } from 'react-router-dom';
import { isServerReachable, onReachableAgain } from '#client/lib/api/server-reachability.ts';
import { loadChunkOrReload, ServerUnreachableError } from './chunk-load-error.ts';
import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';

/** While the server answers, a page that could not be loaded is tried this often. */
const RETRY_INTERVAL_MS = 3000;

/**
 * The `lazy` of a route: loads a page when it is first opened, which keeps the first load small (docs/requirements.md R-UI-17).
 * It never fails for want of a connection, because the router would remember that failure for ever.
 */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  const loadPage = async (): Promise<ComponentType> => (await loadChunkOrReload(load))[name];
  return async (): Promise<{ Component: ComponentType }> => {
    try {
      return { Component: await loadPage() };
    } catch (error) {
      if (!(error instanceof ServerUnreachableError)) throw error;
      return { Component: pageAfterReconnect(loadPage) };
    }
  };
}

/** Shows that there is no connection, and then the page as soon as it can be loaded. */
function pageAfterReconnect(loadPage: () => Promise<ComponentType>): ComponentType {
  let LoadedPage: ComponentType | null = null;

  return function PageAfterReconnect() {
    const [Page, setPage] = useState(() => LoadedPage);
    const [error, setError] = useState<unknown>(null);
    const { submit: tryAgain, busy } = useSubmit(async () => {
      try {
        LoadedPage = await loadPage();
        setPage(() => LoadedPage);
      } catch (failure) {
        if (!(failure instanceof ServerUnreachableError)) setError(failure);
      }
    });
    useEffect(() => {
      if (Page || busy) return undefined;
      const unbind = onReachableAgain(() => void tryAgain());
      // The server may have come back during the last try, or only the code of this page was lost.
      const timer = setInterval(() => {
        if (isServerReachable()) void tryAgain();
      }, RETRY_INTERVAL_MS);
      return () => {
        unbind();
        clearInterval(timer);
      };
    });

    if (error !== null) throw error;
    return Page ? <Page /> : <UnreachablePage busy={busy} onRetry={() => void tryAgain()} />;
  };
}

export type LazyPage = { route: RouteObject; path: string; load: () => Promise<ComponentType> };

/** A page with its address, which can also be loaded before it is opened. */
export function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  handle?: object,
): LazyPage {
  const route = { path, lazy: lazyPage(load, name), ...(handle ? { handle } : {}) };
  return { route, path, load: async () => (await load())[name] };
}

/** In place of a page whose code could not be loaded; the menu around it stays. */
function UnreachablePage({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  usePageTitle('Halaman belum dapat dibuka');
  return (
    <Stack align="center" justify="center" gap="xs" mih="60vh" p="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="red" aria-hidden>
        <IconCloudOff size={28} stroke={1.6} />
      </ThemeIcon>
      <Title order={1} ref={heading} tabIndex={-1}>
        Halaman belum dapat dibuka
      </Title>
      <Text c="dimmed" maw={420}>
        Tidak ada sambungan ke server. Halaman ini dibuka sendiri begitu tersambung lagi.
      </Text>
      <Button
        mt="xs"
        variant="light"
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={onRetry}
        loading={busy}
      >
        Coba lagi
      </Button>
    </Stack>
  );
}
