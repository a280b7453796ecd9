import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { StatusBadge } from './status-badge.tsx';

it.each([
  ['lunas', 'Lunas'],
  ['belum_lunas', 'Belum Lunas'],
  ['proses', 'Proses'],
  ['dibatalkan', 'Tidak Diketahui'],
  ['toString', 'Tidak Diketahui'],
  [null, 'Tidak Diketahui'],
])('shows the status %s as a text with one icon', (status, label) => {
  const { container } = renderPage(<StatusBadge status={status} />);
  expect(screen.getByText(label).querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(container.querySelectorAll('svg')).toHaveLength(1);
});
