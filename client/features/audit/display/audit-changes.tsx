import { VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { showDateShort } from '#client/lib/format.ts';
import type { AuditChange, AuditEntry } from '#shared/api/audit.ts';
import { parseCalendarDate } from '#shared/domain/dates/dates.ts';
import {
  auditFieldLabel,
  checkSentence,
  formatAuditValue,
  isCreationOrDeletion,
  relevantChanges,
} from './audit-labels.ts';
import classes from './audit-list.module.css';

/** Longer changes are folded, so that an entry has one line. */
const INLINE_CHARACTERS_MAX = 90;

const changeLength = ({ field, from, to }: AuditChange): number =>
  `${auditFieldLabel(field)}${formatAuditValue(field, from)}${formatAuditValue(field, to)}`.length;

/** The changes that fit into the line of their entry, and the others. */
function splitByLength(changes: readonly AuditChange[]): { inline: AuditChange[]; folded: AuditChange[] } {
  let room = INLINE_CHARACTERS_MAX;
  const inline: AuditChange[] = [];
  const folded: AuditChange[] = [];
  for (const change of changes) {
    room -= changeLength(change);
    (room >= 0 ? inline : folded).push(change);
  }
  return { inline, folded };
}

/** As `formatAuditValue`, with short months, so that a line has room for two dates. */
function formatInline(field: string, value: AuditChange['from']): string {
  return typeof value === 'string' && parseCalendarDate(value) === value
    ? showDateShort(value)
    : formatAuditValue(field, value);
}

type FromToProps = { change: AuditChange; format?: typeof formatAuditValue };

function FromTo({ change: { field, from, to }, format = formatAuditValue }: FromToProps) {
  return (
    <>
      <span className={classes['from']}>
        <VisuallyHidden>dari </VisuallyHidden>
        {format(field, from)}
      </span>
      <IconArrowRight size={14} aria-hidden className={classes['arrow'] ?? ''} />
      <span className={classes['to']}>
        <VisuallyHidden> menjadi </VisuallyHidden>
        {format(field, to)}
      </span>
    </>
  );
}

function InlineChanges({ changes }: { changes: readonly AuditChange[] }) {
  return changes.map((change) => (
    <span key={change.field}>
      {auditFieldLabel(change.field)} <FromTo change={change} format={formatInline} />
    </span>
  ));
}

type FoldedProps = { summary: string; changes: readonly AuditChange[]; hasOneValue?: boolean };

function FoldedChanges({ summary, changes, hasOneValue = false }: FoldedProps) {
  return (
    <details className={classes['details']}>
      <summary>{summary}</summary>
      <dl className={classes['changes']}>
        {changes.map((change) => (
          <div key={change.field}>
            <dt>{auditFieldLabel(change.field)}</dt>
            <dd>
              {hasOneValue ? formatAuditValue(change.field, change.from ?? change.to) : <FromTo change={change} />}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type Props = {
  entry: AuditEntry;
  /** Up to this many changes are all shown, however long they are. */
  wholeMax?: number;
};

/** The changes of an entry: short ones in its line, the others behind it. */
export function AuditChanges({ entry, wholeMax = 0 }: Props) {
  const check = checkSentence(entry);
  if (check !== null) return <span className={classes['to']}>{check}</span>;
  const changes = relevantChanges(entry);
  if (changes.length === 0) return null;
  if (isCreationOrDeletion(entry)) {
    const summary = entry.action.endsWith('.created') ? 'Isi awal' : 'Isi terakhir';
    return <FoldedChanges summary={summary} changes={changes} hasOneValue />;
  }
  const { inline, folded } = changes.length <= wholeMax ? { inline: changes, folded: [] } : splitByLength(changes);
  const summary = inline.length === 0 ? `${folded.length} perubahan` : `dan ${folded.length} perubahan lain`;
  return (
    <>
      <InlineChanges changes={inline} />
      {folded.length > 0 ? <FoldedChanges summary={summary} changes={folded} /> : null}
    </>
  );
}
