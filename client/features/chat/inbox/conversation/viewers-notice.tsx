import { Text } from '@mantine/core';
import { IconEye, IconPencil } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { selectAtom } from 'jotai/utils';
import { useMemo } from 'react';
import { ephemeralStateAtom } from '../../state/selectors.ts';
import { colleaguesIn } from '../list/row-people.ts';
import chat from '../../chat.module.css';

/** 'Ibu Ratna', 'Ibu Ratna dan Pak Joko', 'Ibu Ratna, Pak Joko, dan 2 lainnya'. */
function namesOf(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (second === undefined) return first ?? '';
  return rest.length === 0 ? `${first} dan ${second}` : `${first}, ${second}, dan ${rest.length} lainnya`;
}

type Props = { userId: string; adminId: string };

/** Which other admins have the same conversation open, and who of them writes, so that no two of them answer at once. */
export function ViewersNotice({ userId, adminId }: Props) {
  const textAtom = useMemo(
    () =>
      selectAtom(ephemeralStateAtom, (state) => {
        const { writing, looking } = colleaguesIn(state, userId, adminId);
        const parts = [
          ...(writing.length > 0 ? [`${namesOf(writing)} sedang menulis`] : []),
          ...(looking.length > 0 ? [`${namesOf(looking)} juga melihat percakapan ini`] : []),
        ];
        return `${writing.length > 0 ? 'w' : 'l'}${parts.join(' · ')}`;
      }),
    [userId, adminId],
  );
  const marked = useAtomValue(textAtom);
  const text = marked.slice(1);
  const Icon = marked.startsWith('w') ? IconPencil : IconEye;
  return (
    <Text component="output" className={chat['warning'] ?? ''} fw={500}>
      {text === '' ? null : (
        <>
          <Icon size={16} aria-hidden />
          {text}
        </>
      )}
    </Text>
  );
}
