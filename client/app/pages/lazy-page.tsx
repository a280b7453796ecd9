import { type ComponentType, useEffect, useState } from 'react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { RouteObject } from 'react-router-dom';
import { onReachableAgain } from '#client/lib/server-reachability.ts';
import { loadChunkOrReload, ServerUnreachableError } from './chunk-load-error.ts';
import { UnreachablePage } from './unreachable-page.tsx';

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
      if (!Page) return onReachableAgain(() => void tryAgain());
      return undefined;
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
