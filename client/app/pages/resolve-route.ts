import type { ComponentType } from 'react';
import type { createBrowserRouter, RouteObject } from 'react-router-dom';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'routes'>;

/** Routes with a path of their own; a layout has none. */
function findLazyRoute(routes: readonly RouteObject[], path: string): RouteObject | undefined {
  for (const route of routes) {
    if (route.path === path && route.lazy) return route;
    const child = findLazyRoute(route.children ?? [], path);
    if (child) return child;
  }
  return undefined;
}

/**
 * Gives a route its page, whose code was loaded in advance. The router does the same with a lazy route, but only after it
 * has drawn the old page once more; a route that is not lazy opens within the press.
 */
export function resolveRoute(router: Router, path: string, Page: ComponentType): void {
  const route = findLazyRoute(router.routes, path);
  if (!route) return;
  route.Component = Page;
  delete route.lazy;
}
