import { formatNumber } from '#client/lib/format.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import type { ConversationAction } from './perform-action.ts';
import { formatSnoozedUntil } from './snooze-times.ts';

/** A conversation that an action did not change. `reason` follows a number: 'sedang ditangani Sari'. */
export type Unchanged = { name: string; reason: string; hint?: string | undefined };

/** A text lists at most this many names, and then the number of the others. */
const NAMES_MAX = 3;

function listNames(names: readonly string[]): string {
  if (names.length <= NAMES_MAX) return names.join(', ');
  return `${names.slice(0, NAMES_MAX).join(', ')} dan ${formatNumber(names.length - NAMES_MAX)} lainnya`;
}

/** Why a call has failed: the words of the server where it refused, 'gagal diubah' where there was no answer. */
export function unchangedBy(error: unknown, name: string): Unchanged {
  const message = messageOf(error, 'gagal diubah');
  return { name, reason: message.charAt(0).toLowerCase() + message.slice(1), hint: hintOf(error) };
}

/** 'diambil', 'ditunda s.d. Sen 08.00': what was done, after '3 percakapan' or a name. */
function doneText(action: ConversationAction, nowMs: number): string {
  switch (action.kind) {
    case 'claim':
      return 'diambil';
    case 'take':
      return 'diambil alih';
    case 'release':
      return 'dilepas';
    case 'dismiss':
      return 'ditandai tidak perlu dibalas';
    case 'snooze':
      return `ditunda ${formatSnoozedUntil(action.until, nowMs)}`;
    case 'unsnooze':
      return 'tidak lagi ditunda';
  }
}

/** '1 sedang ditangani Sari (Budi)' for each reason. */
export function unchangedText(unchanged: readonly Unchanged[]): string {
  const namesByReason = new Map<string, string[]>();
  for (const { name, reason } of unchanged) namesByReason.set(reason, [...(namesByReason.get(reason) ?? []), name]);
  return Array.from(
    namesByReason,
    ([reason, names]) => `${formatNumber(names.length)} ${reason} (${listNames(names)})`,
  ).join(', ');
}

/** '3 percakapan diambil, 1 sedang ditangani Sari (Budi)'. */
export function resultText(
  action: ConversationAction,
  doneNames: readonly string[],
  unchanged: readonly Unchanged[],
  nowMs: number,
): string {
  const done = doneText(action, nowMs);
  const [onlyName] = doneNames;
  const [only] = unchanged;
  if (only && unchanged.length === 1 && doneNames.length === 0) return `Percakapan dengan ${only.name}: ${only.reason}`;
  const parts = [
    ...(doneNames.length === 1 && unchanged.length === 0 ? [`Percakapan dengan ${onlyName} ${done}`] : []),
    ...(doneNames.length > 1 || (doneNames.length === 1 && unchanged.length > 0)
      ? [`${formatNumber(doneNames.length)} percakapan ${done}`]
      : []),
    ...(unchanged.length > 0 ? [unchangedText(unchanged)] : []),
  ];
  return parts.join(', ');
}
