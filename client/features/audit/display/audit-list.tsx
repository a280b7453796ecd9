import { Badge } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBuildingCommunity,
  IconCalendarCog,
  IconCalendarX,
  IconCalendarPlus,
  IconChecklist,
  IconClock,
  IconDatabaseExport,
  IconDownload,
  IconHandGrab,
  IconKey,
  IconLock,
  IconMessageOff,
  IconLink,
  IconLinkOff,
  IconNoteOff,
  IconPencil,
  IconPlus,
  IconTableImport,
  IconTrash,
  IconUserX,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { showDateTime, SERVER_TIME_ZONE, today } from '#client/lib/format.ts';
import type { AuditAction, AuditEntry } from '#shared/api/audit.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { AuditChanges } from './audit-changes.tsx';
import { actionPhrase, automaticPhrase, checkSentence } from './audit-labels.ts';
import classes from './audit-list.module.css';

const actionIcons: Record<AuditAction, TablerIcon> = {
  'record.created': IconPlus,
  'record.updated': IconPencil,
  'record.deleted': IconTrash,
  'record.checked': IconChecklist,
  'record.check_undone': IconArrowBackUp,
  'user.created': IconPlus,
  'user.updated': IconPencil,
  'user.deleted': IconTrash,
  'password.changed': IconLock,
  'conversation.deleted': IconMessageOff,
  'note.deleted': IconNoteOff,
  'conversation.taken': IconHandGrab,
  'office.updated': IconClock,
  'settings.identity': IconBuildingCommunity,
  'settings.records': IconCalendarCog,
  'settings.retention': IconCalendarX,
  'retention.ran': IconCalendarX,
  'backup.started': IconDatabaseExport,
  'backup.downloaded': IconDownload,
  'dhkp.applied': IconTableImport,
  'dhkp.reverted': IconArrowBackUp,
  'user.recovery_code': IconKey,
  'user.card': IconKey,
  'user.second_factor': IconKey,
  'user.erasure': IconUserX,
  'dhkp.changed': IconPencil,
  'dhkp.linked': IconLink,
  'dhkp.unlinked': IconLinkOff,
  'claim.approved': IconChecklist,
  'claim.rejected': IconNoteOff,
  'area.created': IconPlus,
  'area.updated': IconPencil,
  'area.deleted': IconTrash,
};

/** '22/11 06.56', with the year unless it is this one. */
function shortDateTime(iso: string): string {
  const [year = '', month = '', day = ''] = todayIn(SERVER_TIME_ZONE, Date.parse(iso)).split('-');
  const date = today().startsWith(year) ? `${day}/${month}` : `${day}/${month}/${year}`;
  return `${date} ${formatTime(iso, SERVER_TIME_ZONE)}`;
}

type Props = {
  entries: readonly AuditEntry[];
  /** Renders the subject, where entries have different ones. */
  renderSubject?: (entry: AuditEntry) => ReactNode;
  /** Renders the actor, where the name is a link. */
  renderActor?: (entry: AuditEntry) => ReactNode;
  /** Up to this many changes of an entry are all shown. */
  wholeMax?: number;
};

type LineProps = { entry: AuditEntry; phrase: string; renderActor: Props['renderActor']; children?: ReactNode };

function Actor({ entry, renderActor }: Pick<LineProps, 'entry' | 'renderActor'>) {
  return (
    <>
      {renderActor ? renderActor(entry) : <strong>{entry.actor.name}</strong>}{' '}
      <Badge
        component="span"
        variant="light"
        size="xs"
        color={entry.actor.role === 'admin' ? 'laut' : 'gray'}
        classNames={{ label: classes['role'] ?? '' }}
      >
        {entry.actor.role === 'admin' ? 'Admin' : 'Warga'}
      </Badge>
    </>
  );
}

/** One line: mark, time, actor, what was done, and the changes. */
function AuditLine({ entry, phrase, renderActor, children }: LineProps) {
  const isAutomatic = automaticPhrase(entry) !== null;
  const Icon = isAutomatic ? IconCalendarPlus : actionIcons[entry.action];
  return (
    <>
      <span className={classes['mark']} data-kind={entry.action.split('.')[1]} aria-hidden>
        <Icon size={14} stroke={2} />
      </span>
      <time dateTime={entry.created_at} title={showDateTime(entry.created_at)} className={classes['time']}>
        {shortDateTime(entry.created_at)}
      </time>
      <div className={classes['body']}>
        <span>
          {isAutomatic ? null : <Actor entry={entry} renderActor={renderActor} />} {phrase}
        </span>{' '}
        {children}
      </div>
    </>
  );
}

/**
 * Entries with actor, action, time and changed values; newest first. Consecutive entries of one bulk are one line, which opens.
 */
export function AuditList({ entries, renderSubject, renderActor, wholeMax = 0 }: Props) {
  const renderEntry = (entry: AuditEntry) => (
    <li key={entry.id} className={classes['entry']}>
      <AuditLine
        entry={entry}
        phrase={automaticPhrase(entry)?.replace('data', 'Data') ?? actionPhrase(entry)}
        renderActor={renderActor}
      >
        {renderSubject ? <span>{renderSubject(entry)}</span> : null} <AuditChanges entry={entry} wholeMax={wholeMax} />
      </AuditLine>
    </li>
  );
  return (
    <ol className={classes['list']}>
      {groupEntries(entries).map((group) => {
        const [first] = group;
        if (!first || group.length === 1) return group.map(renderEntry);
        return (
          <li key={first.id} className={classes['entry']}>
            <AuditLine entry={first} phrase={groupPhrase(group)} renderActor={renderActor}>
              <details className={classes['details']}>
                <summary>Tampilkan semua</summary>
                <ol className={classes['list']}>{group.map(renderEntry)}</ol>
              </details>
            </AuditLine>
          </li>
        );
      })}
    </ol>
  );
}

/** Actions that an admin does to many records or accounts at once. */
const GROUPED = /^(record\.|user\.(created|updated|deleted)$)/;

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
    GROUPED.test(entry.action) &&
    entry.action === next.action &&
    entry.actor.id === next.actor.id &&
    Math.abs(Date.parse(entry.created_at) - Date.parse(next.created_at)) <= SAME_TIME_MS &&
    changeKey(entry) === changeKey(next)
  );
}

/** Puts consecutive entries together that one person made at the same time with the same change. */
function groupEntries(entries: readonly AuditEntry[]): AuditEntry[][] {
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

/** The action of a group of several entries, as the end of a sentence: 'menandai 25 data lunas'. */
function groupPhrase(group: readonly AuditEntry[]): string {
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
