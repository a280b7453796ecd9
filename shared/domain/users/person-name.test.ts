import { describe, expect, it } from 'vitest';
import { cleanName, isAdminName } from './person-name.ts';

describe('cleanName', () => {
  it.each([
    [' Budi  Santoso ', 'Budi  Santoso'],
    ['Budi\u202Eosotnas', 'Budiosotnas'],
    ['Bu\0di\u2066\u200F', 'Budi'],
    ['Budi\uD800', 'Budi'],
    ['Budi\n\tSantoso', 'Budi Santoso'],
    ['\u200B\u3164\u2800 \u0301', ''],
    ['\0\u202E', ''],
    ['Nyoman \u1B05', 'Nyoman \u1B05'],
  ])('makes %j of %j', (text, name) => {
    expect(cleanName(text)).toBe(name);
  });
});

describe('isAdminName', () => {
  it.each([
    'Administrator',
    ' ADMIN ',
    'A d m i n',
    'Adm\u0456n',
    '4dm1n',
    '\u0430dmin',
    'Admin-PBB',
    'Ａｄｍｉｎ',
    'admin\u200B',
    'Ádmin',
  ])('accepts %j', (name) => expect(isAdminName(name)).toBe(true));
  it.each(['Budi', 'Aminah', 'Admiral', 'Siti Adminah', 'Ratna (admin toko)', '', '123'])('rejects %j', (name) =>
    expect(isAdminName(name)).toBe(false),
  );
});
