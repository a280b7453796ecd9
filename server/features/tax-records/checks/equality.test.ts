import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { type Answer, buildTestApp, type CallOptions } from '#server/testing/test-app.ts';

/*
 * Two offices do the same work; one of them checks what is reported, takes checks back and tells it in the chat. No number of
 * the statistics, the reports and the waits may differ, but for those that say what was checked (R-CHECK-2, R-CARD-20).
 */

const fields = fc.record(
  {
    amount: fc.integer({ min: 1, max: 9_000_000 }),
    status: fc.constantFrom(...RECORD_STATUSES),
    due_date: fc.constantFrom('2026-05-01', '2026-06-11', '2027-01-01'),
    payment_date: fc.constantFrom('2026-06-10', '2026-06-01', '2025-12-31'),
  },
  { requiredKeys: ['amount', 'status', 'payment_date'] },
);
const step = fc.record({
  kind: fc.constantFrom(
    ...(['edit', 'adminEdit', 'bulk', 'proof', 'ask', 'edit', 'adminEdit', 'proof', 'ask'] as const),
    ...(['removeProof', 'delete', 'answer'] as const),
  ),
  owner: fc.nat(1),
  record: fc.nat(8),
  fields,
  minutes: fc.integer({ min: 1, max: 600 }),
  /** Steps that only the checking office takes after it. */
  checks: fc.array(fc.record({ record: fc.nat(8), kind: fc.constantFrom('matched', 'rejected', 'undo') }), {
    minLength: 1,
    maxLength: 3,
    size: 'max',
  }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Fields of answers about the checks themselves. */
const CHECK_FIELDS = new Set(['checked', 'to_check', 'matched_unpaid', 'rejected_records', 'rejected_record_id']);

async function buildOffice(doesCheck: boolean) {
  const test = await buildTestApp();
  const admin = buildAdmin(test, { name: 'Sari', email: 'sari@contoh.id' });
  const users = [1, 2].map((number) =>
    buildTestUser(test, { name: `Warga ${number}`, email: `warga-${number}@contoh.id` }),
  );
  const records: { id: string; owner: SignedInUser }[] = [];
  let checked = 0;
  /** Records whose newest check was a check alone: the undo of one that also marked the record as paid takes that back. */
  const checkedAlone = new Set<string>();
  const as = (who: SignedInUser, method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    test.call(method, `/api${path}`, { token: who.token, ...options });
  const read = async <T>(who: SignedInUser, path: string): Promise<T> => {
    const answer = await as(who, 'GET', path);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body.data;
  };
  const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: '00:00', close: '24:00' }));
  await as(admin, 'PUT', '/admin/office-hours', { body: { days, holidays: [] } });

  for (const [number, owner] of [...users, ...users, ...users, ...users].entries()) {
    const body = { name: 'Budi', address: 'Jl. Melati', spt_number: `SPT-${number}`, amount: 45_000, status: 'proses' };
    const created: TaxRecord = (await as(owner, 'POST', '/tax-records', { body })).body.data;
    records.push({ id: created.id, owner });
  }

  async function doStep({ kind, owner, record, fields: body, minutes }: Step): Promise<number> {
    test.clock.advance(minutes * 60_000);
    const user = users[owner] ?? admin;
    const found = records[record];
    if (kind === 'ask' || kind === 'answer') {
      const [from, to] = kind === 'ask' ? [user, admin] : [admin, user];
      const message = { to_user_id: to.id, content: 'Halo' };
      return (await as(from, 'POST', '/messages/send', { body: message })).status;
    }
    if (!found) return 0;
    checkedAlone.delete(found.id);
    const path = `/tax-records/${found.id}`;
    const { id, updated_at } = await read<TaxRecord>(admin, `/admin${path}`);
    if (kind === 'edit') return (await as(found.owner, 'PUT', path, { body })).status;
    if (kind === 'adminEdit') return (await as(admin, 'PUT', `/admin${path}`, { body })).status;
    if (kind === 'bulk') {
      const changes = [{ id, updated_at, status: body.status, payment_date: body.payment_date }];
      return (await as(admin, 'POST', '/admin/tax-records/bulk', { body: { changes } })).status;
    }
    if (kind === 'proof') {
      return (await as(found.owner, 'POST', `${path}/payment-proof`, buildForm({}, { bytes: buildImage() }))).status;
    }
    if (kind === 'removeProof')
      return (await as(admin, 'PUT', `/admin${path}`, { body: { remove_payment_proof: true } })).status;
    records.splice(record, 1);
    return (await as(admin, 'DELETE', `/admin${path}`)).status;
  }

  async function doChecks({ checks }: Step): Promise<void> {
    for (const { record, kind } of checks) {
      const found = records[record];
      if (!found || (kind === 'undo' && !checkedAlone.has(found.id))) continue;
      const { updated_at } = await read<TaxRecord>(admin, `/admin/tax-records/${found.id}`);
      const path = `/admin/tax-records/${found.id}/verification`;
      const body = { result: kind, reason: 'Buram', updated_at };
      const answer = await as(admin, kind === 'undo' ? 'DELETE' : 'POST', path, { body });
      if (answer.status !== 200) expect(answer.status).toBe(409);
      else {
        checked += 1;
        const { updated_at: after } = answer.body.data as TaxRecord;
        if (kind === 'undo') checkedAlone.delete(found.id);
        // A match of what an edit has matched already changes nothing, and its undo would take that edit's payment back.
        else if (after !== updated_at) checkedAlone.add(found.id);
      }
    }
  }

  /** Every number that somebody reads, with names in place of the ids that differ. */
  async function readNumbers(): Promise<unknown> {
    const paths = [
      '/admin/reports/overview?from=2020-01-01&to=2026-12-31',
      '/admin/chat-statistics?range=this_year',
      '/office',
    ];
    const conversations = await read<ConversationSummary[]>(admin, '/messages/conversations?unanswered=1');
    const numbers = {
      statistics: await read(admin, '/admin/statistics'),
      others: await Promise.all(paths.map((path) => read(admin, path))),
      own: await Promise.all(
        users.flatMap((user) => [
          read(user, '/tax-records/statistics'),
          read(admin, `/admin/users/${user.id}/statistics`),
          ...['summary', 'property'].map((name) => read(user, `/reports/${name}?dateRange=this_year`)),
          read(user, '/office'),
        ]),
      ),
      waits: conversations
        .map(({ other_user, unanswered_since }) => `${other_user.name} ${unanswered_since}`)
        .toSorted(),
    };
    const names = new Map([
      ...users.map(({ id, name }) => [id, name] as const),
      [admin.id, admin.name] as const,
      ...records.map(({ id }, index) => [id, `record ${index}`] as const),
    ]);
    return JSON.parse(JSON.stringify(numbers), (key, value: unknown) => {
      if (CHECK_FIELDS.has(key)) return undefined;
      return typeof value === 'string' ? (names.get(value) ?? value) : value;
    });
  }

  return {
    work: async (todo: Step): Promise<number> => {
      const status = await doStep(todo);
      if (doesCheck) await doChecks(todo);
      return status;
    },
    readNumbers,
    countChecks: () => checked,
  };
}

it('leaves every statistic, report and wait as it is where nobody checks', async () => {
  let checks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 24, maxLength: 24 }), async (steps) => {
      const [plain, checking] = [await buildOffice(false), await buildOffice(true)];
      for (const [index, todo] of steps.entries()) {
        expect(await checking.work(todo)).toBe(await plain.work(todo));
        if (index % 8 === 7) expect(await checking.readNumbers()).toEqual(await plain.readNumbers());
      }
      checks += checking.countChecks();
    }),
    { numRuns: 1, endOnFailure: true },
  );
  expect(checks).toBeGreaterThan(5);
});
