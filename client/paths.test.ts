import { expect, it } from 'vitest';
import { pathAfterLogin } from '#client/paths.ts';

it.each([
  [false, null, '/dashboard'],
  [true, null, '/admin/dashboard'],
  [false, '/reports?period=last_year', '/reports?period=last_year'],
  [false, '/admin/users', '/dashboard'],
  [true, '/admin/users?page=2', '/admin/users?page=2'],
  [true, '/reports', '/admin/dashboard'],
  [false, '/login', '/dashboard'],
  [false, '/administrasi', '/administrasi'],
])('after a login (admin: %s) from %s leads to %s', (isAdmin, returnTo, target) => {
  expect(pathAfterLogin(isAdmin, returnTo)).toBe(target);
});
