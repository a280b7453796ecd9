import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconClockOff, IconClockPlay, IconDeviceFloppy } from '@tabler/icons-react';
import type { SubmitEvent } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusInvalidDate } from '#client/ui/form/invalid-date.ts';
import { SaveBar } from '#client/ui/form/save-bar.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { HolidayFields } from './holiday-fields.tsx';
import { dayError, hoursOf, usualWeek } from './hours-draft.ts';
import classes from './office-hours.module.css';
import { useOfficeHours } from './use-office-hours.ts';
import { WeekFields } from './week-fields.tsx';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { createOfficeCalendar } from '#shared/domain/office/office-hours.ts';
import { officeText } from '../display/office-text.ts';

/** /admin/settings/office-hours: when the office answers (docs/requirements.md R-OFFICE-8). */
export function OfficeHoursPage() {
  usePageTitle('Jam Layanan');
  const hours = useOfficeHours();
  const { query } = hours;
  useUnsavedWarning(hours.isUnsaved);
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Jam Layanan"
        description="Kapan petugas menjawab chat. Warga membacanya di atas percakapan; lama tunggu dihitung dalam jam buka."
      />
      {query.isPending ? (
        <Stack gap="md" maw="46rem" aria-hidden>
          <Skeleton height={120} radius="md" />
          <Skeleton height={420} radius="md" />
        </Stack>
      ) : null}
      {query.error && !query.data ? (
        <Card>
          <ErrorState
            title={messageOf(query.error, 'Gagal memuat jam layanan')}
            description={hintOf(query.error)}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        </Card>
      ) : null}
      <HoursForm hours={hours} />
    </>
  );
}

type Hours = ReturnType<typeof useOfficeHours>;

function HoursForm({ hours }: { hours: Hours }) {
  const { draft, saved, isUnsaved, failure, save, change } = hours;
  if (!draft || !saved) return null;

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (focusInvalidDate(event.currentTarget)) return;
    const wrong = draft?.days.find((day) => dayError(day) !== null);
    if (wrong) event.currentTarget.querySelector<HTMLElement>('[data-error] input:not([type="checkbox"])')?.focus();
    else void save.submit();
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md" maw="46rem">
        <TodayCard hours={hours} />
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
        <SaveBar status={failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}>
          {isUnsaved ? (
            <Button variant="default" onClick={hours.discard}>
              Buang perubahan
            </Button>
          ) : null}
          <SaveButton
            busy={save.busy}
            aria-label="Simpan (Save)"
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          >
            Simpan
          </SaveButton>
        </SaveBar>
      </Stack>
    </form>
  );
}

/** The text that users read now, and the button for closing early. */
function TodayCard({ hours }: { hours: Hours }) {
  const { draft, saved, isUnsaved, isNeverSet, nowMs, medianMs, setClosedToday } = hours;
  if (!draft || !saved) return null;
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
          {saved.closed_today ? (
            <ActionButton
              icon={IconClockPlay}
              disabledReason={null}
              busy={setClosedToday.busy}
              onPress={() => void setClosedToday.submit(false)}
            >
              Buka lagi hari ini
            </ActionButton>
          ) : (
            <ActionButton
              icon={IconClockOff}
              disabledReason={null}
              busy={setClosedToday.busy}
              onPress={() => void setClosedToday.submit(true)}
            >
              Tutup lebih awal hari ini
            </ActionButton>
          )}
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
