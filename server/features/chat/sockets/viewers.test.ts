import { expect, it, vi } from 'vitest';
import { alone } from '#server/process/processes.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createViewers } from './viewers.ts';

const ratna: CurrentUser = { id: 'ratna', name: 'Ratna', email: 'ratna@kantor.go.id', isAdmin: true, sessionId: 's1' };

it('tells the other processes nothing of a tab that closed while its request was looked at', () => {
  const tell = vi.fn<typeof alone.tell>();
  const viewers = createViewers({ ...alone, tell });
  viewers.enter('tab', ratna);
  viewers.leave('tab');
  tell.mockClear();
  expect(viewers.setViewing('tab', ratna, ['budi'], true)).toEqual([]);
  expect(tell).not.toHaveBeenCalled();
});
