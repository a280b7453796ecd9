import { expect, it } from 'vitest';
import { IDENTITY_KEY, NO_IDENTITY, readOfficeIdentity, storeOfficeIdentity } from './office-identity.ts';

it('reads an empty identity at first, and the stored one at the next visit', () => {
  expect(readOfficeIdentity()).toEqual(NO_IDENTITY);
  const identity = { ...NO_IDENTITY, name: 'Desa Sukamaju', logo_url: '/uploads/logo/a.png' };
  storeOfficeIdentity(identity);
  expect(readOfficeIdentity()).toEqual(identity);
  expect(readOfficeIdentity()).toBe(readOfficeIdentity());
});

it('stores nothing for an office that says nothing about itself', () => {
  storeOfficeIdentity({ ...NO_IDENTITY, name: 'Desa Sukamaju' });
  storeOfficeIdentity(NO_IDENTITY);
  expect(readOfficeIdentity()).toEqual(NO_IDENTITY);
  expect(window.localStorage.getItem(IDENTITY_KEY)).toBeNull();
});

it.each(['', '{', '[]', 'null', '{"name":5,"logo_url":{}}'])('reads no identity from the stored %j', (stored) => {
  window.localStorage.setItem(IDENTITY_KEY, stored);
  expect(readOfficeIdentity()).toEqual(NO_IDENTITY);
});
