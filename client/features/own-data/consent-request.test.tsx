import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { legalTexts } from '#shared/legal-texts.ts';
import { legalVersions } from '#shared/legal-versions.ts';
import { ConsentRequest } from './display/consent-request.tsx';

const ACCEPT = 'POST /api/auth/consents';
const TERMS = { document: 'terms', version: legalVersions.terms } as const;
const PRIVACY = { document: 'privacy', version: legalVersions.privacy } as const;

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn();
  server = fakeServer();
});

const open = (path = '/dashboard') => renderPage(<ConsentRequest due={[TERMS, PRIVACY]} />, { path });
const panel = () => screen.queryByRole('region', { name: 'Syarat dan privasi' });
const button = (name: string) => screen.getByRole('button', { name });

it('opens each text with one press, and stores the consent to both', async () => {
  server.on(ACCEPT, okAnswer({}));
  const { user } = open();
  await user.click(button('Kebijakan Privasi (Privacy)'));
  await screen.findByText(legalTexts.privacy.intro);
  await user.click(button('Mengerti'));
  await user.click(button('Setuju'));
  await screen.findByText('Terima kasih, persetujuan Anda disimpan');
  expect(server.callsOf(ACCEPT).map(({ body }) => body)).toEqual([TERMS, PRIVACY]);
});

it("comes back at the next visit after 'Nanti', not in this one, and asks the next account too", async () => {
  const { user, unmount } = open();
  await user.click(button('Nanti'));
  expect(panel()).toBeNull();
  unmount();
  const again = open();
  expect(panel()).toBeNull();
  expect(server.calls).toEqual([]);
  again.unmount();
  closeSession();
  signIn({ id: 'u2', email: 'wati@contoh.id' });
  window.sessionStorage.clear();
  open();
  await waitFor(() => expect(panel()).not.toBeNull());
});

it('the panel is on the start page alone, where no form is', () => {
  open('/tax-records/create');
  expect(panel()).toBeNull();
});

it('stays when the consent could not be stored', async () => {
  server.on(ACCEPT, failAnswer(500));
  const { user } = open();
  await user.click(button('Setuju'));
  await screen.findByText('Gagal menyimpan');
  expect(panel()).not.toBeNull();
});
