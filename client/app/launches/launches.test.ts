import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { signIn } from '#client/testing/render.tsx';
import { homeTarget } from './home-target.ts';
import { bindLaunches } from './launches.ts';

type Consumer = (launch: { targetURL?: string }) => void;

const { origin } = window.location;
const opening = `${origin}/?buka=obrolan`;
const navigate = vi.fn();
let launch: (path: string) => void;

beforeEach(() => {
  navigate.mockClear();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name: opening } as PerformanceEntry]);
  const launchQueue = {
    setConsumer: (consumer: Consumer) => {
      launch = (url) => consumer({ targetURL: new URL(url, origin).href });
    },
  };
  vi.stubGlobal('launchQueue', launchQueue);
  bindLaunches(navigate);
  return () => {
    closeSession();
  };
});

it.each([
  ['nobody', '', '/login'],
  ['nobody', '?buka=obrolan', '/login'],
  ['a user', '', '/dashboard'],
  ['a user', '?buka=obrolan', '/dashboard?obrolan=1'],
  ['a user', '?buka=data-pajak', '/tax-records'],
  ['a user', '?buka=lain', '/dashboard'],
  ['an admin', '', '/admin/dashboard'],
  ['an admin', '?buka=obrolan', '/admin/chat'],
  ['an admin', '?buka=data-pajak', '/admin/tax-records'],
])('leads %s from /%s to %s', (who, search, target) => {
  if (who !== 'nobody') signIn({ is_admin: who === 'an admin' });
  expect(homeTarget(search)).toBe(target);
});

it('opens a shortcut in the window that is there, and no other site', () => {
  signIn();
  // The launch that opened this very page.
  launch(opening);
  launch('/');
  launch('https://contoh.id/?buka=data-pajak');
  expect(navigate).not.toHaveBeenCalled();
  launch(opening);
  launch('/?buka=data-pajak');
  launch('/tax-records/7?bagian=bukti#foto');
  expect(navigate.mock.calls).toEqual([
    ['/dashboard?obrolan=1'],
    ['/tax-records'],
    ['/tax-records/7?bagian=bukti#foto'],
  ]);
});

it('opens the first shortcut of a window that was opened by something else', () => {
  signIn();
  launch('/?buka=data-pajak');
  expect(navigate).toHaveBeenCalledWith('/tax-records');
});
