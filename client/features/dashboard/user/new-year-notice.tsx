import { Alert, Anchor, Text } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import { rolloverLeftOutText } from '#shared/rollover-texts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { atom, useAtom } from 'jotai';
import { currentSession, useSession } from '#client/lib/session/session.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { checkYear, recordKeys, reloadRecords } from '#client/features/tax-records/api.ts';

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

// A screen reader announces a status after its current sentence; an alert would interrupt it.
const STATUS_ROLE = { role: 'status' };

type NewYearNoticeProps = {
  count: number;
  /** The number of records that were not created, because the account has reached its quota. */
  leftOutCount: number;
  /** The number of records that the user can make in 'Tahun Baru', which makes none by itself. */
  offered: number;
  year: number;
  onClose: () => void;
};

/** Reports that this year's records were created from those of last year, or offers to create them (R-YEAR-8, R-YEAR-18). */
export function NewYearNotice({ count, leftOutCount, offered, year, onClose }: NewYearNoticeProps) {
  return (
    <Alert
      {...STATUS_ROLE}
      color={leftOutCount > 0 ? 'yellow' : 'laut'}
      mb="md"
      icon={<IconCalendarPlus size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup pemberitahuan"
      onClose={onClose}
    >
      {count > 0 ? (
        <Text fw={500}>
          {formatNumber(count)} data PBB tahun {year} dibuat otomatis dari data tahun {year - 1}, dengan kenaikan 10%.
        </Text>
      ) : null}
      {leftOutCount > 0 ? <Text fw={500}>{rolloverLeftOutText(leftOutCount, year)}</Text> : null}
      {offered > 0 ? (
        <>
          <Text fw={500}>
            Sudah terima SPPT {year}? Buat datanya dari data {year - 1}.
          </Text>
          <Anchor component={Link} to={paths.newYear} fw={600} className="link-target">
            Buat data tahun {year}
          </Anchor>
        </>
      ) : (
        <Anchor component={Link} to={`${paths.records}?tahun=${year}`} fw={600} className="link-target">
          Lihat data tahun {year}
        </Anchor>
      )}
    </Alert>
  );
}
