import { z } from 'zod';
import { AUDIT_MAX } from '../limits.ts';
import { listOf, positiveInteger } from './envelope.ts';
import { bothIds } from './fields.ts';
import { dateFilter, filter, idFilter, searchFilter } from './filters.ts';

/** The audit, an append-only log of changes. Values are as on the wire: rupiah, yyyy-mm-dd, status words. */

const AUDIT_ACTIONS = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.checked',
  'record.check_undone',
  'user.created',
  'user.updated',
  'user.deleted',
  'password.changed',
  'conversation.deleted',
  'note.deleted',
  'conversation.taken',
  'office.updated',
  'settings.identity',
  'settings.records',
  'settings.retention',
  'retention.ran',
  'backup.started',
  'backup.downloaded',
  'dhkp.applied',
  'dhkp.reverted',
  'dhkp.changed',
  'dhkp.linked',
  'dhkp.unlinked',
  'claim.approved',
  'claim.rejected',
  'area.created',
  'area.updated',
  'area.deleted',
  'user.recovery_code',
  'user.card',
  'user.second_factor',
  'user.erasure',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const auditValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const auditChange = z.object({ field: z.string(), from: auditValue, to: auditValue });
export type AuditChange = z.infer<typeof auditChange>;

const auditEntry = z
  .object({
    ...bothIds,
    created_at: z.string(),
    createdAt: z.string(),
    action: z.enum(AUDIT_ACTIONS),
    actor: z.object({ id: z.string(), name: z.string(), role: z.enum(['admin', 'user']) }),
    /** The changed row, with a label that stays readable after its deletion. */
    subject: z.object({ id: z.string(), label: z.string() }),
    changes: z.array(auditChange),
  })
  .meta({ id: 'RiwayatPerubahan' });
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditQuery = z.object({
  search: searchFilter,
  action: filter(z.enum(AUDIT_ACTIONS)),
  actor_id: idFilter,
  subject_id: idFilter,
  /** Days of `APP_TIMEZONE`; both belong to the range. */
  from: dateFilter,
  to: dateFilter,
  limit: positiveInteger(AUDIT_MAX).optional(),
  page: positiveInteger().optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditPageQuery = auditQuery.pick({ limit: true, page: true });
export type AuditPageQuery = z.infer<typeof auditPageQuery>;

export const auditAnswer = listOf(auditEntry);
