import { expect, it } from 'vitest';
import { AcmeFailure, describeFailure, failureIn } from './acme-failure.ts';

const ABOUT = { directory: 'acme.test', names: ['pbb.desa.id', 'a.id', 'b.id', 'c.id'] };
const describe = (kind: string, identifier: string | null = 'pbb.desa.id', detail = 'kata'): string =>
  describeFailure(new AcmeFailure(kind, detail, { identifier }), ABOUT);

it.each([
  ['connection', /^Penerbit sertifikat tidak dapat membuka http:\/\/pbb\.desa\.id\/ dari internet\. Teruskan porta 80/],
  ['dns', /^Nama pbb\.desa\.id belum dapat ditemukan di internet\. Buat catatan A/],
  ['unauthorized', /bukan server ini\. Periksa ke komputer mana DNS dan router/],
  ['incorrectResponse', /bukan server ini\./],
  ['caa', /CAA/],
  ['rateLimited', /membatasi jumlah permintaan untuk pbb\.desa\.id/],
  ['rejectedIdentifier', /menolak nama pbb\.desa\.id\. Minta pengelola server memeriksa nama domain/],
  ['invalidContact', /mengosongkan email sertifikat/],
  ['externalAccountRequired', /memilih penerbit lain/],
  ['accountRefused', /\(?acme\.test\)? menolak akun server ini/],
  ['notADirectory', /\(acme\.test\) bukan direktori ACME/],
  ['ENOTFOUND', /\(acme\.test\) tidak ditemukan\. Periksa sambungan internet/],
  ['ECONNREFUSED', /\(acme\.test\) tidak dapat dihubungi/],
  ['timeout', /\(acme\.test\) tidak dapat dihubungi/],
  ['CERT_HAS_EXPIRED', /Perbaiki tanggal dan jam komputer/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /tidak dipercaya komputer ini.*sertifikat penerbit di setelan/],
  ['notSaved', /tidak dapat disimpan di folder data\. Periksa ruang disk/],
  ['badNonce', /sedang tidak dapat melayani/],
  ['somethingNew', /sedang tidak dapat melayani/],
])('says what to do about %s', (kind, words) => {
  expect(describe(kind)).toMatch(words);
  expect(describe(kind)).toMatch(/ \(kata\)$/);
});

it('repeats the words of the directory in one bounded line, and few of many names', () => {
  const hostile = describe('dns', null, `a\u001B[31m\nb\u202E${'c'.repeat(1000)}`);
  expect(hostile).toContain('(a [31m b cc');
  expect(hostile.length).toBeLessThan(500);
  expect(hostile).toContain('Nama pbb.desa.id, a.id, b.id, dan 1 lagi ');
});

it('finds the failure in an answer, and the first part of one with several', () => {
  const part = { type: 'urn:ietf:params:acme:error:dns', detail: 'no A', identifier: { type: 'dns', value: 'a.id' } };
  expect(failureIn({ type: 'urn:ietf:params:acme:error:compound', subproblems: [part] }, 5)).toMatchObject({
    kind: 'dns',
    message: 'no A',
    identifier: 'a.id',
    retryAfterMs: 5,
  });
  expect(failureIn({ type: 'about:blank' })).toMatchObject({ kind: 'about:blank', message: 'about:blank' });
  for (const other of [null, 'x', 5, {}, { type: 5 }]) expect(failureIn(other)).toBeNull();
});
