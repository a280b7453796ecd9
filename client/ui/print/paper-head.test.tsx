import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NO_IDENTITY, storeOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { renderPage } from '#client/testing/render.tsx';
import { PaperHead } from './paper-head.tsx';

const textsOf = (container: HTMLElement) => [...container.querySelectorAll('p, dt, dd')].map((one) => one.textContent);

it('names the product while the office has no name, and nothing that is empty', () => {
  const { container } = renderPage(<PaperHead title="Laporan" details={[{ label: 'Periode', value: '2026' }]} />);
  expect(textsOf(container)).toEqual([
    'PBB Kita',
    'Layanan Data Pajak Bumi dan Bangunan',
    'Laporan',
    'Periode',
    '2026',
  ]);
  expect(container.querySelector('img')).toBeNull();
});

it('shows the logo, the name, the address and the numbers of the office, as soon as they are known', () => {
  const { container } = renderPage(<PaperHead />);
  act(() =>
    storeOfficeIdentity({
      name: 'Kantor Desa Sukamaju',
      address: 'Jl. Raya 1\nKec. Cikole',
      phone: '(022) 123',
      whatsapp: '0812',
      logo_url: '/uploads/logo/a.png',
    }),
  );
  expect(textsOf(container)).toEqual([
    'Kantor Desa Sukamaju',
    'Jl. Raya 1, Kec. Cikole',
    'Telepon (022) 123 · WhatsApp 0812',
  ]);
  expect(container.querySelector('img')?.getAttribute('src')).toMatch(/\/uploads\/logo\/a\.png$/);
  expect(screen.queryByText('PBB Kita')).toBeNull();
  act(() => storeOfficeIdentity(NO_IDENTITY));
  expect(screen.getByText('PBB Kita')).toBeTruthy();
});
