import { useQuery, useQueryClient } from '@tanstack/react-query';
import { atom, useAtom } from 'jotai';
import { today } from '#client/lib/format.ts';
import { currentSession, useSession } from '#client/lib/session.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { checkYear, recordKeys, reloadRecords } from '#client/features/tax-records/api.ts';

/** `userId` keeps the next person on the same phone from reading it. */
type NewYearNoticeState = { userId: string; count: number; year: number };

// Outlives the page: who looks at another page first must still be told, and the server tells only once.
export const newYearNoticeAtom = atom<NewYearNoticeState | null>(null);

/** Lets the server turn the year (contract 4, check-year) on every visit of the dashboard, and tells what it made. */
export function useYearCheck() {
  const queryClient = useQueryClient();
  const [notice, setNotice] = useAtom(newYearNoticeAtom);
  const userId = useSession()?.user?.id ?? '';

  useQuery({
    queryKey: recordKeys.yearCheck,
    queryFn: async () => {
      const answer = await checkYear();
      if (answer.autoCreated) {
        setNotice({ userId: currentSession()?.user?.id ?? '', count: answer.count, year: yearOf(today()) });
        // What the page fetched meanwhile was too early.
        void reloadRecords(queryClient);
      }
      return answer;
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  return { notice: notice?.userId === userId ? notice : null, dismiss: () => setNotice(null) };
}
