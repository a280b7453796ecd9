import { Alert, Anchor, Text } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatNumber } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { rolloverLeftOutText } from '#shared/rollover-texts.ts';

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
          {formatNumber(count)} data PBB tahun {year} dibuat otomatis dari data tahun {year - 1}, dengan kenaikan 10%
          atau menurut daftar kantor.
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
