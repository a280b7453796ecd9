import { Button, Card, Checkbox, Radio, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { ChoiceCard } from '#client/ui/form/choice-card.tsx';
import { SaveBar } from '#client/ui/form/save-bar.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { RecordSettings } from '#shared/api/record-settings.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { openYearBounds } from '#shared/domain/open-years.ts';
import type { RolloverMode } from '#shared/domain/rollover.ts';
import { OPEN_YEARS_MAX } from '#shared/limits.ts';
import { recordSettingsQuery, saveRecordSettings } from '../api.ts';
import { useRecordSettings } from '../display/use-record-settings.ts';
import classes from './tax-years-page.module.css';

const COUNT_WRONG = `Pilih 1 sampai ${OPEN_YEARS_MAX} tahun.`;

/** /admin/settings/tax-years: which tax years users may enter, and what a new year does (R-YEAR-17). */
export function TaxYearsPage() {
  usePageTitle('Tahun Pajak Warga');
  const settings = useRecordSettings();
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Tahun Pajak Warga"
        description="SPPT tahun berapa yang dapat diisi warga, dan bagaimana datanya berganti tahun."
      />
      {settings.isPending ? (
        <Stack gap="md" maw="46rem" aria-hidden>
          <Skeleton height={260} radius="md" />
          <Skeleton height={220} radius="md" />
        </Stack>
      ) : null}
      {settings.error && !settings.data ? (
        <Card>
          <ErrorState
            title={messageOf(settings.error, 'Gagal memuat tahun pajak warga')}
            description={hintOf(settings.error)}
            onRetry={() => void settings.refetch()}
            retrying={settings.isFetching}
          />
        </Card>
      ) : null}
      {settings.data ? <SettingsForm saved={settings.data} /> : null}
    </>
  );
}

const isSame = (one: RecordSettings, other: RecordSettings): boolean =>
  one.rollover === other.rollover && one.user_years.join() === other.user_years.join();

/** What was chosen stays after a failed save, and when another admin saves meanwhile. */
function SettingsForm({ saved }: { saved: RecordSettings }) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<RecordSettings | null>(null);
  const [failure, setFailure] = useState<{ message: string; hint: string | undefined } | null>(null);
  const settings = chosen ?? saved;
  const isUnsaved = chosen !== null && !isSame(chosen, saved);
  useUnsavedWarning(isUnsaved);
  const count = settings.user_years.length;
  const isCountWrong = count < 1 || count > OPEN_YEARS_MAX;

  const save = useSubmit(async () => {
    setFailure(null);
    try {
      const stored = await saveRecordSettings(settings);
      await queryClient.cancelQueries({ queryKey: recordSettingsQuery.queryKey });
      queryClient.setQueryData(recordSettingsQuery.queryKey, stored);
      setChosen(null);
      notify.success('Pengaturan data PBB berhasil disimpan');
    } catch (error) {
      setFailure({ message: messageOf(error, 'Gagal menyimpan tahun pajak warga'), hint: hintOf(error) });
    }
  });

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isCountWrong) event.currentTarget.querySelector<HTMLElement>('input[type="checkbox"]')?.focus();
    else void save.submit();
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md" maw="46rem">
        <OpenYears
          years={settings.user_years}
          error={isCountWrong ? COUNT_WRONG : null}
          onChange={(user_years) => setChosen({ ...settings, user_years })}
        />
        <NewYearMode mode={settings.rollover} onChange={(rollover) => setChosen({ ...settings, rollover })} />
        <SaveBar status={failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}>
          {isUnsaved ? (
            <Button variant="default" onClick={() => setChosen(null)}>
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

type OpenYearsProps = { years: readonly number[]; error: string | null; onChange: (years: number[]) => void };

function OpenYears({ years, error, onChange }: OpenYearsProps) {
  const { first, last } = openYearBounds(today());
  const offered = Array.from({ length: last - first + 1 }, (_, index) => last - index);
  // A stored year stays visible also when the clock of this device says that it is too early for it.
  const all = [...new Set([...offered, ...years])].toSorted((a, b) => b - a);
  const thisYear = yearOf(today());
  return (
    <Card component="section" aria-labelledby="tahun-terbuka">
      <Title order={2} id="tahun-terbuka" mb={4}>
        Tahun yang dapat diisi warga
      </Title>
      <Text c="dimmed" mb="sm">
        Warga memilih salah satu tahun ini saat menambah data PBB. Bila hanya satu, tahunnya tetap. Menutup tahun tidak
        menghapus data; Anda sendiri tetap dapat mengisi semua tahun.
      </Text>
      <Checkbox.Group
        aria-labelledby="tahun-terbuka"
        value={years.map(String)}
        onChange={(values) => onChange(values.map(Number).toSorted((a, b) => b - a))}
        error={error}
      >
        <div className={classes['years']}>
          {all.map((year) => (
            <Checkbox
              key={year}
              value={String(year)}
              label={year === thisYear ? `${year} (tahun ini)` : String(year)}
              size="md"
              classNames={{ body: classes['year'] ?? '' }}
            />
          ))}
        </div>
      </Checkbox.Group>
    </Card>
  );
}

const isMode = (value: string): value is RolloverMode => value === 'automatic' || value === 'offer';

function NewYearMode({ mode, onChange }: { mode: RolloverMode; onChange: (mode: RolloverMode) => void }) {
  const thisYear = yearOf(today());
  return (
    <Card component="section" aria-labelledby="data-tahun-baru">
      <Title order={2} id="data-tahun-baru" mb={4}>
        Data tahun baru
      </Title>
      <Text c="dimmed" mb="sm">
        Yang terjadi dengan data tahun lalu ketika tahun berganti.
      </Text>
      <Radio.Group
        aria-labelledby="data-tahun-baru"
        value={mode}
        onChange={(value) => {
          if (isMode(value)) onChange(value);
        }}
      >
        <Stack gap="xs">
          <ChoiceCard
            value="automatic"
            title="Dibuat otomatis"
            text="Saat warga membuka aplikasi, data tahun baru dibuat sendiri dengan jumlah naik 10%. Jumlahnya ditandai perkiraan dan ikut dihitung sebagai tagihan."
          />
          <ChoiceCard
            value="offer"
            title="Ditawarkan dulu"
            text={`Warga ditanya ‘Sudah terima SPPT ${thisYear}?’, lalu mengisi jumlah sesuai SPPT. Tidak ada tagihan yang dibuat tanpa diminta.`}
          />
        </Stack>
      </Radio.Group>
    </Card>
  );
}
