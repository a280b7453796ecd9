import type { FastifyInstance } from 'fastify';
import type { AuditChange } from '#shared/api/audit.ts';
import { noticeCalls } from '#shared/api/calls/notices.ts';
import type { AdminNotice } from '#shared/api/notices.ts';
import type { EmailChange } from '#server/accounts/email-queries.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { NoticeRow } from './queries.ts';
import { createNoticeService, type NoticeDeps, type RetentionNotice } from './service.ts';

/** Adds what admins are told until they have seen it. */
export function registerNotices(app: FastifyInstance, { context, guards, ...deps }: FeatureDeps & NoticeDeps): void {
  const notices = createNoticeService(context, deps);
  serveCalls(app, guards, noticeCalls, {
    'GET /admin/notices': async ({ currentUser }) => {
      const { entries, changes, retention } = await notices.listUnseen(currentUser);
      // Screens show the last lines at once, and changes of users must not push those of admins out of sight.
      return presentSingle('Pemberitahuan', [
        ...(retention ? [presentRetention(retention)] : []),
        ...changes.map(presentEmailChange),
        ...entries.map(presentNotice),
      ]);
    },
    'POST /admin/notices/{id}/stop': async ({ currentUser, params }) => {
      await notices.stop(currentUser, params.id);
      return presentSingle('Semua disimpan selamanya', {});
    },
    'POST /admin/notices/{id}/seen': async ({ currentUser, params }) => {
      await notices.markSeen(currentUser, params.id);
      return presentSingle('Pemberitahuan ditandai sudah dilihat', {});
    },
    'POST /admin/notices/{id}/revert': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
      await notices.revert(currentUser, params.id, { password: body?.current_password, source });
      return presentSingle('Email lama dikembalikan', {});
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
    actions: [],
  };
}

/** As the entry of the audit that set it. */
function presentRetention({ id, by, text, announcedAt }: RetentionNotice): AdminNotice {
  return {
    ...presentIds(id),
    kind: 'settings.retention',
    actor: by,
    text,
    created_at: new Date(announcedAt).toISOString(),
    actions: ['stop'],
  };
}

/** As the entry of the audit that the change made. */
function presentEmailChange({ id, userId, name, changedAt }: EmailChange): AdminNotice {
  return {
    ...presentIds(`a${id}`),
    kind: 'user.updated',
    actor: { id: userId, name },
    text: `Alamat akun ${name} berubah`,
    created_at: new Date(changedAt).toISOString(),
    actions: ['revert'],
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

function factorText(changes: readonly AuditChange[], who: string): string {
  const isSetupCode = changes.some(({ field }) => field === 'setup_code');
  return isSetupCode ? `membuat kode pemasangan kode kedua untuk admin ${who}` : `menghapus kode kedua admin ${who}`;
}

function whatWasDone({ action, subjectLabel: subject, changes }: NoticeRow): string {
  if (action === 'user.created') return `membuat akun admin ${subject}`;
  if (action === 'user.deleted') return `menghapus akun admin ${subject}`;
  if (action === 'password.changed') return `mengganti password admin ${subject}`;
  if (action === 'user.recovery_code') return `membuat kode masuk untuk admin ${subject}`;
  if (action === 'user.card') return `membuat kartu untuk admin ${subject}`;
  if (action === 'user.second_factor') return factorText(changes, subject);
  if (action === 'backup.downloaded') return `mengunduh cadangan semua data: ${subject}`;
  return changes.flatMap((change) => changeText(change, subject) ?? []).join(', ');
}
