import type { AuditChange } from '#shared/api/audit.ts';

/** Longer texts are clipped: an entry can never be removed again, and its reader looks for what changed. */
const TEXT_MAX = 200;
/** Characters that both texts share and that stay in front of their first difference. */
const SHARED_MAX = 60;

type Value = AuditChange['from'];

/**
 * Clips the long texts of a changed field (docs/requirements.md R-SYS-21). Both keep the part in which they differ first.
 * Three dots and the full length mark a clipped text.
 */
export function clipChange(change: AuditChange): AuditChange {
  const { field, from, to } = change;
  if (!isLong(from) && !isLong(to)) return change;
  const difference = typeof from === 'string' && typeof to === 'string' ? firstDifference(from, to) : 0;
  const start = difference + SHARED_MAX > TEXT_MAX ? difference - SHARED_MAX : 0;
  return { field, from: clip(from, start), to: clip(to, start) };
}

function isLong(value: Value): value is string {
  return typeof value === 'string' && value.length > TEXT_MAX;
}

function firstDifference(from: string, to: string): number {
  const shorter = Math.min(from.length, to.length);
  for (let at = 0; at < shorter; at += 1) if (from[at] !== to[at]) return at;
  return shorter;
}

function clip(value: Value, start: number): Value {
  if (!isLong(value)) return value;
  const end = start + TEXT_MAX;
  // A character of two halves, such as an emoji, is not cut in the middle.
  const part = value.slice(start, end).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const length = value.length.toLocaleString('id-ID');
  return `${start > 0 ? '…' : ''}${part}${end < value.length ? '…' : ''} (dipotong dari ${length} karakter)`;
}
