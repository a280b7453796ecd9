import { expect } from 'vitest';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildListApp, LIST_YEAR, type ListCells, listText } from './dhkp.ts';
import { buildTestUser, type SignedInUser } from './factories.ts';

type Overrides = Parameters<typeof buildListApp>[0];

/** An app with an office's list, an admin and a user, and the calls about links between them. */
export async function buildLinkApp(overrides: Overrides = {}) {
  const { test, admin, ...list } = await buildListApp(overrides);
  const user = buildTestUser(test, { name: 'Budi Santoso' });

  async function importList(rows: readonly ListCells[], year = LIST_YEAR, choices: object = {}) {
    const batch = await list.preview(listText(rows), year);
    const chosen = Object.keys(choices).length > 0 ? await list.change(batch.id, choices) : batch;
    return list.applied(chosen);
  }

  async function assessmentOf(nop: string, year = LIST_YEAR): Promise<Assessment> {
    const found = (await list.list(`&year=${year}&search=${nop}`)).data.find((one) => one.nop === nop);
    if (!found) throw new Error(`no assessment of ${nop}`);
    return found;
  }

  const link = (id: string, owner: { id: string }, others: object = {}, by: SignedInUser = admin) =>
    test.call('POST', `/api/admin/dhkp/${id}/link`, { token: by.token, body: { user_id: owner.id, ...others } });

  async function linked(nop: string, owner: { id: string } = user, others: object = {}): Promise<Assessment> {
    const answer = await link((await assessmentOf(nop)).id, owner, others);
    expect(answer.status, answer.body.message).toBe(200);
    return answer.body.data;
  }

  async function recordsOf(owner: SignedInUser = user): Promise<TaxRecord[]> {
    const { body } = await test.call('GET', '/api/tax-records', { token: owner.token });
    return (body.data as { data: TaxRecord[] }).data.toSorted((a, b) => a.year - b.year);
  }

  const asUser = (method: string, path: string, body?: unknown, by: SignedInUser = user) =>
    test.call(method, `/api${path}`, { token: by.token, ...(body === undefined ? {} : { body }) });
  const asAdmin = (method: string, path: string, body?: unknown) => asUser(method, path, body, admin);

  return { test, admin, user, list, importList, assessmentOf, link, linked, recordsOf, asUser, asAdmin };
}
