import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconClockOff, IconClockPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { paths } from '#client/paths.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { SettingsForm } from '#client/ui/form/settings-form.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { HolidayFields } from './holiday-fields.tsx';
import { dayError, type HoursDraft, hoursOf, usualWeek } from './hours-draft.ts';
import classes from './office-hours.module.css';
import { useOfficeHours } from './use-office-hours.ts';
import { WeekFields } from './week-fields.tsx';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { createOfficeCalendar } from '#shared/domain/office/office-hours.ts';
import { officeHoursQuery } from '../api.ts';
import { officeText } from '../display/office-text.ts';

/** /admin/settings/office-hours: when the office answers (docs/requirements.md R-OFFICE-8). */
export function OfficeHoursPage() {
  usePageTitle('Jam Layanan');
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Jam Layanan"
        description="Kapan petugas menjawab chat. Warga membacanya di atas percakapan; lama tunggu dihitung dalam jam buka."
      />
      <QueryView
        isPage
        query={useQuery(officeHoursQuery)}
        failedText="Gagal memuat jam layanan"
        loading={{ text: 'Memuat jam layanan…', rows: 2, height: 240 }}
      >
        {(saved) => <HoursForm saved={saved} />}
      </QueryView>
    </>
  );
}

function HoursForm({ saved }: { saved: OfficeHours }) {
  const hours = useOfficeHours(saved);
  const { draft, change } = hours.form;

  return (
    <SettingsForm state={hours.form} focusWrongField={(form) => focusInvalidDate(form) || focusWrongDay(form, draft)}>
      <TodayCard saved={saved} hours={hours} />
      <Card component="section" aria-labelledby="jam-mingguan">
        <Title order={2} id="jam-mingguan" mb="xs">
          Jam buka tiap minggu
        </Title>
        {hours.isNeverSet && draft.days.every(({ isOpen }) => !isOpen) ? (
          <Group gap="sm" mb="xs">
            <Text>Belum ada hari yang buka.</Text>
            <Button variant="light" onClick={() => change({ ...draft, days: usualWeek(draft.days) })}>
              Isi Senin–Jumat 08.00–15.00
            </Button>
          </Group>
        ) : null}
        <WeekFields days={draft.days} onChange={(days) => change({ ...draft, days })} />
      </Card>
      <Card component="section" aria-labelledby="hari-libur">
        <Title order={2} id="hari-libur" mb="xs">
          Hari libur
        </Title>
        <Stack gap="md">
          <HolidayFields draft={draft} onChange={change} />
        </Stack>
      </Card>
    </SettingsForm>
  );
}

/** Focuses the times of the first day that is wrong. @returns whether there is one */
function focusWrongDay(form: HTMLFormElement, { days }: HoursDraft): boolean {
  const isWrong = days.some((day) => dayError(day) !== null);
  if (isWrong) form.querySelector<HTMLElement>('[data-error] input:not([type="checkbox"])')?.focus();
  return isWrong;
}

type TodayProps = { saved: OfficeHours; hours: ReturnType<typeof useOfficeHours> };

/** The text that users read now, and the button for closing early. */
function TodayCard({ saved, hours }: TodayProps) {
  const { form, isNeverSet, nowMs, medianMs, setClosedToday } = hours;
  const { draft, isUnsaved } = form;
  const next = hoursOf(draft, saved.closed_today);
  return (
    <Card component="section" aria-labelledby="hari-ini">
      <Title order={2} id="hari-ini" mb="xs">
        Yang dibaca warga
      </Title>
      {isNeverSet && !isUnsaved ? (
        <Text>
          Jam layanan belum pernah disimpan. Warga belum membaca apa pun tentang jam buka, dan lama tunggu dihitung
          sepanjang hari.
        </Text>
      ) : (
        <p className={classes['preview']} data-draft={isUnsaved || undefined}>
          {next === null ? 'Perbaiki dulu jam yang ditandai di bawah.' : previewText(next, medianMs, nowMs)}
        </p>
      )}
      <output className={classes['unsaved']}>
        {isUnsaved ? 'Ada perubahan yang belum disimpan. Begini jadinya setelah disimpan.' : ''}
      </output>
      {isNeverSet ? null : (
        <Group mt="sm">
          <ActionButton
            icon={saved.closed_today ? IconClockPlay : IconClockOff}
            disabledReason={null}
            busy={setClosedToday.busy}
            onPress={() => void setClosedToday.submit(!saved.closed_today)}
          >
            {saved.closed_today ? 'Buka lagi hari ini' : 'Tutup lebih awal hari ini'}
          </ActionButton>
        </Group>
      )}
    </Card>
  );
}

/** The text for users who do not wait, with these hours and an admin online. @param medianMs the usual wait */
function previewText(hours: OfficeHours, medianMs: number | null, nowMs: number): string {
  const schedule = { days: hours.days, holidays: hours.holidays, closedAt: hours.closed_today ? nowMs : null };
  const { open, untilMs, opensAtMs } = createOfficeCalendar(schedule, SERVER_TIME_ZONE).stateAt(nowMs);
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const status = { open, until: iso(untilMs), opens_at: iso(opensAtMs) };
  const office = { ...status, median_ms: medianMs, ahead: null, admin_online: true, few_waiting: true };
  return officeText(office, nowMs, SERVER_TIME_ZONE) ?? '';
}
