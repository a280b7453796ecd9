import { describe, expect, it } from 'vitest';
import { describeAddress, parsePostgresUrl } from './address.ts';

describe('parsePostgresUrl', () => {
  it('reads one or several hosts, with signs of user and password percent-encoded', () => {
    expect(parsePostgresUrl('postgres://pbb:s%40ndi%3A1@10.0.0.5:5433,db2,[::1]:5434/kota%20x')).toEqual({
      hosts: [
        { host: '10.0.0.5', port: 5433 },
        { host: 'db2', port: 5432 },
        { host: '::1', port: 5434 },
      ],
      user: 'pbb',
      password: 's@ndi:1',
      database: 'kota x',
      ssl: 'disable',
    });
    expect(parsePostgresUrl('postgresql://pbb@db/pbb?sslmode=verify-full')).toMatchObject({ ssl: 'verify-full' });
  });

  it.each([
    '',
    'mysql://pbb@db/pbb',
    'postgres://db/pbb',
    'postgres://pbb@db',
    'postgres://pbb@/pbb',
    'postgres://pbb@db:0/pbb',
    'postgres://pbb@db:99999/pbb',
    'postgres://pbb:%zz@db/pbb',
    'postgres://pbb@db/pbb?sslmode=maybe',
    'postgres://pbb@db/pbb?target_session_attrs=any',
  ])('refuses %s', (text) => {
    expect(parsePostgresUrl(text)).toBeNull();
  });
});

it('shows an address without user and password', () => {
  const address = parsePostgresUrl('postgres://pbb:rahasia@db,[::1]:5434/pbb');
  expect(address && describeAddress(address)).toBe('db:5432,[::1]:5434/pbb');
});
