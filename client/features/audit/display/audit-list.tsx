import { Badge, Text } from '@mantine/core';
import {
  IconArrowRight,
  IconDatabaseExport,
  IconDownload,
  IconLock,
  IconMessageOff,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { showDateTime } from '#client/lib/format.ts';
import {
  auditActionPhrases,
  auditFieldLabel,
  isCreationOrDeletion,
  relevantChanges,
  formatAuditValue,
} from './audit-labels.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import classes from './audit-list.module.css';

const icons = {
  created: IconPlus,
  updated: IconPencil,
  deleted: IconTrash,
  changed: IconLock,
  started: IconDatabaseExport,
  downloaded: IconDownload,
} as const;

function actionIcon(action: AuditEntry['action']) {
  if (action === 'conversation.deleted') return IconMessageOff;
  const verb = action.split('.')[1];
  return icons[verb as keyof typeof icons] ?? IconPencil;
}

type Props = {
  entries: readonly AuditEntry[];
  /** Renders the subject, where entries have different ones. */
  renderSubject?: (entry: AuditEntry) => ReactNode;
  /** Renders the actor, where the name is a button. */
  renderActor?: (entry: AuditEntry) => ReactNode;
};

/** Entries with actor, action, time and changed values; newest first. */
export function AuditList({ entries, renderSubject, renderActor }: Props) {
  return (
    <ol className={classes['list']}>
      {entries.map((entry) => {
        const Icon = actionIcon(entry.action);
        return (
          <li key={entry.id} className={classes['entry']}>
            <span className={classes['mark']} data-kind={entry.action.split('.')[1]} aria-hidden>
              <Icon size={16} stroke={2} />
            </span>
            <div className={classes['body']}>
              <p className={classes['what']}>
                {renderActor ? renderActor(entry) : <strong>{entry.actor.name}</strong>}{' '}
                <Badge component="span" variant="light" color={entry.actor.role === 'admin' ? 'laut' : 'gray'}>
                  {entry.actor.role === 'admin' ? 'Admin' : 'Warga'}
                </Badge>{' '}
                {auditActionPhrases[entry.action]}
                {renderSubject ? <> {renderSubject(entry)}</> : null}
              </p>
              <Text component="time" dateTime={entry.created_at} fz="sm" c="dimmed" className="tabular">
                {showDateTime(entry.created_at)}
              </Text>
              <AuditChanges entry={entry} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function AuditChanges({ entry }: { entry: AuditEntry }) {
  const changes = relevantChanges(entry);
  if (changes.length === 0) return null;
  if (isCreationOrDeletion(entry)) {
    return (
      <details className={classes['details']}>
        <summary>{entry.action.endsWith('.created') ? 'Isi awal' : 'Isi terakhir'}</summary>
        <dl className={classes['changes']}>
          {changes.map(({ field, from, to }) => (
            <div key={field}>
              <dt>{auditFieldLabel(field)}</dt>
              <dd>{formatAuditValue(field, from ?? to)}</dd>
            </div>
          ))}
        </dl>
      </details>
    );
  }
  return (
    <dl className={classes['changes']}>
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{auditFieldLabel(field)}</dt>
          <dd>
            <span className={classes['from']}>
              <span className={classes['hidden']}>dari </span>
              {formatAuditValue(field, from)}
            </span>
            <IconArrowRight size={14} aria-hidden className={classes['arrow'] ?? ''} />
            <span className={classes['to']}>
              <span className={classes['hidden']}> menjadi </span>
              {formatAuditValue(field, to)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
