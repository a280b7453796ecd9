import { createMemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { resolveRoute } from './resolve-route.ts';

const Page = () => null;

/** @returns what the router did after a navigation to /b */
async function navigationStates(resolved: boolean): Promise<string[]> {
  const router = createMemoryRouter(
    [
      {
        children: [
          { path: '/a', Component: Page },
          { path: '/b', lazy: async () => ({ Component: Page }) },
        ],
      },
    ],
    { initialEntries: ['/a'] },
  );
  if (resolved) resolveRoute(router, '/b', Page);
  const states: string[] = [];
  router.subscribe(({ navigation, location }) => states.push(`${navigation.state} ${location.pathname}`));
  await router.navigate('/b');
  return states;
}

it('opens a page whose code is there without a loading state in between', async () => {
  expect(await navigationStates(false)).toEqual(['loading /a', 'idle /b']);
  expect(await navigationStates(true)).toEqual(['idle /b']);
});
