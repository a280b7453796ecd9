import type { AuditEntry } from '#shared/api/audit.ts';
import { automaticPhrase, checkSentence } from './audit-labels.ts';

/** Changes of one bulk are stored at once; the calls of an older client come one after another. */
const SAME_TIME_MS = 5000;

/** The part of the changes that entries of one bulk have in common. */
function changeKey(entry: AuditEntry): string {
  const { action, changes } = entry;
  const check = checkSentence(entry);
  if (check !== null) return check;
  if (!action.endsWith('.updated')) return automaticPhrase(entry) ?? '';
  const status = changes.find(({ field }) => field === 'status');
  return status ? `status ${status.to}` : changes.map(({ field }) => field).join(' ');
}

function belongsTo(entry: AuditEntry, next: AuditEntry): boolean {
  return (
    /^(record|user)\./.test(entry.action) &&
    entry.action === next.action &&
    entry.actor.id === next.actor.id &&
    Math.abs(Date.parse(entry.created_at) - Date.parse(next.created_at)) <= SAME_TIME_MS &&
    changeKey(entry) === changeKey(next)
  );
}

/** Puts consecutive entries together that one person made at the same time with the same change. */
export function groupEntries(entries: readonly AuditEntry[]): AuditEntry[][] {
  const groups: AuditEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && belongsTo(last, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

const verbs: Record<string, string> = {
  created: 'menambahkan',
  updated: 'mengubah',
  deleted: 'menghapus',
  checked: 'mencocokkan',
  check_undone: 'membatalkan pencocokan',
};

/** What a group of several entries did, as the end of a sentence: 'menandai 25 data lunas'. */
export function groupPhrase(group: readonly AuditEntry[]): string {
  const [subject, verb = ''] = group[0]?.action.split('.') ?? [];
  const automatic = group[0] ? automaticPhrase(group[0]) : null;
  if (automatic !== null) return `${group.length} ${automatic}`;
  if (subject === 'user') return `${verbs[verb]} ${group.length} akun`;
  const isMarkedPaid = group.every(({ changes }) =>
    changes.some(({ field, to }) => field === 'status' && to === 'lunas'),
  );
  return isMarkedPaid && verb === 'updated'
    ? `menandai ${group.length} data lunas`
    : `${verbs[verb]} ${group.length} data PBB`;
}
