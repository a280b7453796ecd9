import { describe, expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { createFormEncodingCheck, hasUtf8Query } from './text-encoding.ts';

const BAD = { status: 400, body: { success: false, message: 'Format data tidak valid' } };
const fields = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32', amount: '1500' };
/** 'Jos\xe9' in Latin-1, half a euro sign, an overlong slash, a surrogate, a byte that never occurs. */
const INVALID = ['4a6f73e9', 'e282', 'c0af', 'eda080', 'ff'].map((hex) => Buffer.from(hex, 'hex'));

/** The bytes with each `*` replaced. */
function withBytes(bytes: Buffer, replacement: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('*', replacement.toString('latin1')), 'latin1');
}

async function buildAppWithUser() {
  const test = await buildTestApp();
  const user = buildTestUser(test);
  const countRecords = () => test.database.sqlite.prepare('select count(*) from tax_records').pluck().get();
  const post = (form: { payload: Buffer; headers: Record<string, string> }): Promise<Answer> =>
    test.call('POST', '/api/tax-records', { token: user.token, ...form });
  return { test, user, countRecords, post };
}

describe('text that is not valid UTF-8', () => {
  it.each(INVALID)('gets 400 in a JSON body: %o', async (bytes) => {
    const { test, user, countRecords } = await buildAppWithUser();
    const json = Buffer.from(JSON.stringify({ ...fields, name: '*', amount: 1 }));
    const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
    const payload = withBytes(json, bytes);
    expect(await test.call('POST', '/api/tax-records', { token: user.token, payload, headers })).toMatchObject(BAD);
    expect(countRecords()).toBe(0);
  });

  it.each(INVALID)(
    'gets 400 in a field of a form, in the name of a field, and in the name of a file: %o',
    async (bytes) => {
      const { post, countRecords, test } = await buildAppWithUser();
      const image = { bytes: buildImage('png') };
      const forms = [
        buildForm({ ...fields, name: '*' }),
        buildForm({ ...fields, name: '*' }, image),
        buildForm({ ...fields, '*': 'x' }),
        buildForm(fields, { ...image, filename: '*.png' }),
      ];
      for (const form of forms) {
        expect(await post({ ...form, payload: withBytes(form.payload, bytes) })).toMatchObject(BAD);
      }
      expect(countRecords()).toBe(0);
      expect(
        test.database.sqlite.prepare('select count(*) from tax_records where proof_file is not null').pluck().get(),
      ).toBe(0);
    },
  );

  it.each(['search=%ff', 'search=Jos%E9', 'search=%e2%82', 'x=1&%C0%AF=1'])(
    'gets 400 in a query: %s',
    async (query) => {
      const test = await buildTestApp();
      const { token } = buildAdmin(test);
      for (const path of [
        '/api/admin/tax-records',
        '/api/admin/users',
        '/api/admin/audit',
        '/api/messages/conversations',
      ]) {
        expect(await test.call('GET', `${path}?${query}`, { token }), path).toMatchObject(BAD);
      }
      // A caller without the right learns nothing else.
      expect((await test.call('GET', `/api/admin/users?${query}`, { token: buildTestUser(test).token })).status).toBe(
        403,
      );
    },
  );
});

describe('valid text', () => {
  it.each(['José €', '日本語', '👍🏽', '\ufffd', 'é'.repeat(1000).slice(0, 250)])(
    'stays as it was sent: %s',
    async (name) => {
      const { test, user, post } = await buildAppWithUser();
      const { token } = user;
      const json = await test.call('POST', '/api/tax-records', { token, body: { ...fields, name, amount: 1 } });
      const form = await post(
        buildForm({ ...fields, name }, { bytes: buildImage('png'), filename: `${name.slice(0, 9)}.png` }),
      );
      for (const answer of [json, form]) {
        expect(answer.status).toBe(201);
        const record: TaxRecord = answer.body.data;
        expect(record.name).toBe(name);
      }
    },
  );

  it('may be anything else in a query, as a percent sign that escapes nothing', () => {
    for (const query of ['', '?', '?a', '?search=100%', '?search=%zz', '?search=%E2%82%AC', '?search=a+b%00']) {
      expect(hasUtf8Query(`/api/x${query}`), query).toBe(true);
    }
    // Outside the query the router decides.
    expect(hasUtf8Query('/api/%ff')).toBe(true);
    expect(hasUtf8Query('/api/x?y=é')).toBe(false);
  });
});

describe('the check of a form', () => {
  const LIMIT = 1000;
  const check = (payload: Buffer, chunkBytes: number, contentType: string): boolean => {
    const encoding = createFormEncodingCheck(contentType, LIMIT);
    for (let at = 0; at < payload.length; at += chunkBytes) encoding.write(payload.subarray(at, at + chunkBytes));
    return encoding.isUtf8();
  };

  it('gives the same result wherever the chunks are cut', () => {
    const { payload, headers } = buildForm({ a: '', b: 'é', c: '*' }, { bytes: Buffer.from('ff00ff0d0a2d2d', 'hex') });
    const [invalid = Buffer.from('ff')] = INVALID;
    for (let chunkBytes = 1; chunkBytes <= payload.length; chunkBytes += 1) {
      expect(check(payload, chunkBytes, headers['content-type']), `${chunkBytes}`).toBe(true);
      expect(check(withBytes(payload, invalid), chunkBytes, headers['content-type']), `${chunkBytes}`).toBe(false);
    }
  });

  it('reads a quoted boundary, and gives up on a text that the parser refuses as too long', () => {
    const { payload, headers } = buildForm({ a: '*' });
    const quoted = headers['content-type'].replace(/boundary=(.*)/, 'boundary="$1"; charset=utf-8');
    expect(check(withBytes(payload, Buffer.from('ff', 'hex')), 7, quoted)).toBe(false);
    const tooLong = buildForm({ a: `${'x'.repeat(LIMIT * 2)}*`, b: 'x' });
    expect(check(withBytes(tooLong.payload, Buffer.from('ff', 'hex')), 100, headers['content-type'])).toBe(true);
  });
});
