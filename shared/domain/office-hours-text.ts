import { WEEKDAY_NAMES } from './office-days.ts';

type Day = { weekday: number; open: string | null; close: string | null };

const weekdayName = (weekday: number): string => WEEKDAY_NAMES[weekday - 1] ?? '';
const hoursOf = ({ open, close }: Day): string =>
  open === null || close === null ? 'tutup' : `${open.replace(':', '.')}–${close.replace(':', '.')}`;

/** The opening hours of a week: 'Senin–Kamis 08.00–15.00, Jumat 08.00–11.30, Sabtu–Minggu tutup'; null when it never opens. */
export function officeHoursText(days: readonly Day[]): string | null {
  if (days.every(({ open }) => open === null)) return null;
  const groups: { first: number; last: number; hours: string }[] = [];
  // Not toSorted: the client shows it too, also in browsers from before 2023.
  // oxlint-disable-next-line unicorn/no-array-sort
  for (const day of [...days].sort((a, b) => a.weekday - b.weekday)) {
    const group = groups.at(-1);
    const hours = hoursOf(day);
    if (group?.hours === hours && group.last === day.weekday - 1) group.last = day.weekday;
    else groups.push({ first: day.weekday, last: day.weekday, hours });
  }
  return groups
    .map(({ first, last, hours }) => {
      const names = first === last ? weekdayName(first) : `${weekdayName(first)}–${weekdayName(last)}`;
      return `${names} ${hours}`;
    })
    .join(', ');
}
