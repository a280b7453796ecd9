import type { FastifyInstance } from 'fastify';
import type { AuditChange } from '#shared/api/audit.ts';
import { noticeCalls } from '#shared/api/calls/notices.ts';
import type { AdminNotice } from '#shared/api/notices.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { NoticeRow } from './queries.ts';
import { createNoticeService } from './service.ts';

/** Adds what admins are told until they have seen it. */
export function registerNotices(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  const notices = createNoticeService(context);
  serveCalls(app, guards, noticeCalls, {
    'GET /admin/notices': async ({ currentUser }) =>
      presentSingle('Pemberitahuan', (await notices.listUnseen(currentUser)).map(presentNotice)),
    'POST /admin/notices/{id}/seen': async ({ currentUser, params }) => {
      await notices.markSeen(currentUser, params.id);
      return presentSingle('Pemberitahuan ditandai sudah dilihat', {});
    },
  });
}

function presentNotice(row: NoticeRow): AdminNotice {
  return {
    ...presentIds(String(row.id)),
    // Only entries of these kinds are notices.
    kind: row.action as AdminNotice['kind'],
    actor: { id: row.actorId, name: row.actorName },
    text: `${row.actorName} ${whatWasDone(row)}`,
    created_at: new Date(row.at).toISOString(),
  };
}

/** The name of a change of one field of an administrator's account; null for fields of no interest. */
function changeText({ field, from, to }: AuditChange, who: string): string | null {
  if (field === 'is_admin') return to === true ? `menjadikan ${who} admin` : `mencabut hak admin ${who}`;
  if (field === 'is_active') return to === true ? `mengaktifkan akun admin ${who}` : `menonaktifkan akun admin ${who}`;
  if (field === 'own_phone') return `mengubah nomor HP admin ${who}`;
  if (field === 'email') return `mengubah email admin ${who} dari ${from} menjadi ${to}`;
  return null;
}

function whatWasDone({ action, subjectLabel: subject, changes }: NoticeRow): string {
  if (action === 'user.created') return `membuat akun admin ${subject}`;
  if (action === 'user.deleted') return `menghapus akun admin ${subject}`;
  if (action === 'password.changed') return `mengganti password admin ${subject}`;
  if (action === 'user.recovery_code') return `membuat kode masuk untuk admin ${subject}`;
  if (action === 'backup.downloaded') return `mengunduh cadangan semua data: ${subject}`;
  return changes.flatMap((change) => changeText(change, subject) ?? []).join(', ');
}
