import { useQuery, useQueryClient } from '@tanstack/react-query';
import { atom, useAtom } from 'jotai';
import { checkYear, recordKeys, reloadRecords } from '#client/features/tax-records/api.ts';
import { today } from '#client/lib/format.ts';
import { currentSession, useSession } from '#client/lib/session/session.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';

/** Only the user with `userId` sees the notice. Another user may sign in on the same phone. */
type NewYearNoticeState = { userId: string; count: number; leftOutCount: number; offered: number; year: number };

// Outlives the page, because the server reports the created records only once.
export const newYearNoticeAtom = atom<NewYearNoticeState | null>(null);

/** The account that closed the offer, so that the next visit of the dashboard does not show it again. */
const closedOfferAtom = atom<string | null>(null);

/** Calls check-year at each visit of the dashboard (R-YEAR-8) and keeps the notice about created records. */
export function useYearCheck() {
  const queryClient = useQueryClient();
  const [notice, setNotice] = useAtom(newYearNoticeAtom);
  const userId = useSession()?.user?.id ?? '';
  const [closedOfferOf, setClosedOfferOf] = useAtom(closedOfferAtom);

  useQuery({
    queryKey: recordKeys.yearCheck,
    queryFn: async () => {
      const answer = await checkYear();
      const { autoCreated, count, leftOutCount, offered } = answer;
      const ownerId = currentSession()?.user?.id ?? '';
      if (autoCreated || leftOutCount > 0 || offered > 0) {
        setNotice({ userId: ownerId, count, leftOutCount, offered, year: yearOf(today()) });
      } else {
        // The records that were offered before have been made meanwhile.
        setNotice((known) => (known && known.offered > 0 ? null : known));
      }
      if (autoCreated) {
        // The page may have fetched its data before the records were created.
        void reloadRecords(queryClient);
      }
      return answer;
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const isClosedOffer = notice !== null && notice.offered > 0 && closedOfferOf === userId;
  return {
    notice: notice?.userId === userId && !isClosedOffer ? notice : null,
    dismiss: () => {
      if (notice && notice.offered > 0) setClosedOfferOf(userId);
      setNotice(null);
    },
  };
}
