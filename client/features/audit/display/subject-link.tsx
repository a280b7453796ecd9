import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { AuditAction, AuditEntry } from '#shared/api/audit.ts';
import { emailText } from '#shared/domain/users/email-text.ts';

/** The subject is the user; what was deleted is not. */
const isAboutConversation = (action: AuditAction): boolean =>
  action.startsWith('conversation.') || action === 'note.deleted';

/** URL of the subject of an entry; null when the subject was deleted. */
function subjectPath({ action, subject }: AuditEntry): string | null {
  if (action.endsWith('.deleted') && !isAboutConversation(action)) return null;
  if (action === 'dhkp.linked' || action === 'dhkp.unlinked') return paths.adminDhkpObject(subject.id);
  if (action === 'claim.approved') return paths.adminClaims('approved');
  if (action === 'claim.rejected') return paths.adminClaims('rejected');
  if (action.startsWith('dhkp.')) return paths.adminDhkp;
  if (action.startsWith('area.')) return paths.adminAreas;
  if (action === 'settings.records') return paths.adminTaxYears;
  if (action === 'settings.retention' || action === 'retention.ran') return paths.adminRetention;
  if (action === 'settings.identity') return paths.adminOfficeIdentity;
  if (action.startsWith('backup.') || action === 'office.updated' || action.startsWith('settings.'))
    return paths.adminSettings;
  if (action.startsWith('record.')) return paths.adminRecord(subject.id);
  if (isAboutConversation(action)) return paths.adminConversation(subject.id);
  return paths.adminUser(subject.id);
}

/** The records and accounts that some of these entries delete. */
export function deletedSubjectIds(entries: readonly AuditEntry[]): ReadonlySet<string> {
  return new Set(
    entries
      .filter(({ action }) => action === 'record.deleted' || action === 'user.deleted')
      .map(({ subject }) => subject.id),
  );
}

/** The subject of an entry, as a link where it may still exist. @param deletedIds subjects that other entries delete */
export function SubjectLink({ entry, deletedIds }: { entry: AuditEntry; deletedIds: ReadonlySet<string> }) {
  const path = deletedIds.has(entry.subject.id) ? null : subjectPath(entry);
  const label = emailText(entry.subject.label);
  if (path === null) return <span>{label}</span>;
  return (
    <Anchor component={Link} to={path} fw={500}>
      {label}
    </Anchor>
  );
}
