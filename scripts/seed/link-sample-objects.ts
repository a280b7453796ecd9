import type { Attachment } from '#shared/api/chat/chat.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Match } from '#shared/api/dhkp/linking.ts';
import { ATTACHMENT_FIELDS } from '#shared/api/chat/chat.ts';
import { drawPaymentProof } from './proof-image.ts';
import { call, type Office } from './server-calls.ts';

/** Links objects, names some in records of users, and sends requests: by the calls of a running server. */

const LINKED_COUNT = 12;
const NAMED_COUNT = 3;
const UNLISTED_NOP = '33.74.010.005.999-0001.0';

async function uploadPhoto(user: Office): Promise<Attachment> {
  const form = new FormData();
  form.append('client_id', crypto.randomUUID());
  form.append(ATTACHMENT_FIELDS.file, new Blob([new Uint8Array(drawPaymentProof(1))]), 'sppt.png');
  return call<Attachment>(user, '/messages/attachments', { method: 'POST', body: form });
}

/** Links the first objects whose name is that of one account alone. */
async function linkByName(office: Office, year: number): Promise<void> {
  const path = `/admin/dhkp/matches?year=${year}&limit=200`;
  const { data } = await call<{ data: Match[] }>(office, path);
  const certain = data.filter(({ candidates }) => candidates.length === 1).slice(0, LINKED_COUNT);
  for (const { assessment, candidates } of certain)
    await call(office, `/admin/dhkp/${assessment.id}/link`, {
      method: 'POST',
      body: { user_id: candidates[0]?.user.id },
    });
}

/**
 * Objects are linked by name, users have typed the NOPs of others as SPT numbers, and three requests wait.
 * @param users signed in; at least three
 */
export async function linkSampleObjects(office: Office, users: readonly Office[], year: number): Promise<void> {
  await linkByName(office, year);
  const free = `/admin/dhkp?year=${year}&linked=0&limit=10&sort=-amount`;
  const { data } = await call<{ data: Assessment[] }>(office, free);
  for (const [index, { nop_text, name, object_address, amount }] of data.slice(0, NAMED_COUNT).entries()) {
    const user = users[index % users.length] as Office;
    const record = { name, address: object_address, spt_number: nop_text, amount, status: 'belum_lunas' };
    await call(user, '/tax-records', { method: 'POST', body: record });
  }
  const [first, second, third] = users as [Office, Office, Office];
  const [asked, other] = data.slice(NAMED_COUNT) as [Assessment, Assessment];
  const photo = await uploadPhoto(first);
  const requests = [
    {
      user: first,
      body: { nop: asked.nop, note: 'SPPT atas nama ayah saya. Fotonya terlampir.', attachment_id: photo.id },
    },
    { user: second, body: { nop: other.nop } },
    { user: third, body: { nop: UNLISTED_NOP, note: 'Tanah di pinggir sungai.' } },
  ];
  for (const { user, body } of requests) await call(user, '/tax-records/claims', { method: 'POST', body });
}
