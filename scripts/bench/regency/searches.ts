import { FIRST_NAMES, LAST_NAMES } from '../../seed/sample-texts.ts';
import { adminGet, type CallRow, type Regency } from './regency-calls.ts';

const MAX_MS = 100;

/** Searches in the lists of records, users and conversations. Those over messages are in `message-search.ts`. */
export function searchRows(regency: Regency): CallRow[] {
  const { villages, users } = regency.data.sizes;
  const searchIn =
    (path: string) =>
    (name: string, terms: readonly string[]): CallRow => ({
      name,
      calls: terms.map((term) => adminGet(regency, `${path}?${new URLSearchParams({ search: term }).toString()}`)),
      maxMs: MAX_MS,
    });
  const [records, accounts, inbox] = [
    searchIn('/admin/tax-records'),
    searchIn('/admin/users'),
    searchIn('/messages/conversations'),
  ];
  const fullNames = LAST_NAMES.map((last, index) => `${FIRST_NAMES[index] ?? ''} ${last}`);
  const tens = Array.from({ length: 10 }, (_, index) => index);
  return [
    records('records: a last name', LAST_NAMES),
    records('records: a full name', fullNames),
    records('records: a village', tens.map((n) => `Desa ${Math.floor((n * villages) / 10)}`)), // prettier-ignore
    records('records: the beginning of a number', tens.map((n) => `35.15.${110 + n}.0`)), // prettier-ignore
    records('records: what all numbers begin with', ['3', '35', '35.', '35.1', '35.15', '35.15.', '35.15.1', '35151']),
    records('records: the beginning of many numbers', ['35.15.10', '35.15.11', '35.15.12']),
    records('records: one or two letters', ['a', 'su', 'rt', '1']),
    records('records: three letters', LAST_NAMES.map((name) => name.slice(0, 3))), // prettier-ignore
    records('records: nothing found', ['zzzqq']),
    accounts('users: a last name', LAST_NAMES),
    accounts('users: an e-mail', tens.map((n) => `warga${Math.floor((n * users) / 10)}@`)), // prettier-ignore
    accounts('users: nothing found', ['zzzqq']),
    inbox('inbox: a last name', LAST_NAMES),
    inbox('inbox: nothing found', ['zzzqq']),
  ];
}
