import { expect, it } from 'vitest';
import { letterheadOf } from './letterhead.ts';
import { NO_IDENTITY } from './office-identity.ts';

const office = { ...NO_IDENTITY, name: 'Kantor Desa Sukamaju' };
const SERVICE_LINE = 'Layanan Data Pajak Bumi dan Bangunan';

it.each([
  ['nothing', NO_IDENTITY, { name: 'PBB Kita', serviceLine: SERVICE_LINE, addressLines: [] }],
  ['a name', office, { name: office.name, serviceLine: SERVICE_LINE, addressLines: [] }],
  [
    'everything',
    {
      ...office,
      address: 'Jl. Raya 1 \n\n Kec. Cikole',
      phone: '(022) 123',
      whatsapp: '0812',
      logo_url: '/uploads/logo/a.png',
    },
    {
      name: office.name,
      serviceLine: null,
      addressLines: ['Jl. Raya 1, Kec. Cikole', 'Telepon (022) 123 · WhatsApp 0812'],
      logoUrl: '/uploads/logo/a.png',
    },
  ],
  [
    'a number alone',
    { ...NO_IDENTITY, whatsapp: '0812' },
    { name: 'PBB Kita', serviceLine: SERVICE_LINE, addressLines: ['WhatsApp 0812'] },
  ],
])('gives a complete letterhead for an identity with %s', (_what, identity, expected) => {
  expect(letterheadOf(identity)).toEqual({ logoUrl: null, ...expected });
});
