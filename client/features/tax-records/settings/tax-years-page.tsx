import { Card, Checkbox, Radio, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { ChoiceCard } from '#client/ui/fields/choice-card.tsx';
import { SettingsForm, useSettingsDraft } from '#client/ui/form/settings-form.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { openYearBounds } from '#shared/domain/tax-records/open-years.ts';
import type { RolloverMode } from '#shared/domain/tax-records/rollover.ts';
import { OPEN_YEARS_MAX } from '#shared/limits.ts';
import { recordSettingsQuery, saveRecordSettings } from '../api.ts';
import { useRecordSettings } from '../display/use-record-settings.ts';
import classes from './tax-years-page.module.css';

const COUNT_WRONG = `Pilih 1 sampai ${OPEN_YEARS_MAX} tahun.`;

/** /admin/settings/tax-years: which tax years users may enter, and what a new year does (R-YEAR-17). */
export function TaxYearsPage() {
  usePageTitle('Tahun Pajak Warga');
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Tahun Pajak Warga"
        description="SPPT tahun berapa yang dapat diisi warga, dan bagaimana datanya berganti tahun."
      />
      <QueryView
        isPage
        query={useRecordSettings()}
        failedText="Gagal memuat tahun pajak warga"
        loading={{ text: 'Memuat tahun pajak warga…', rows: 2, height: 240 }}
      >
        {(settings) => <YearSettings saved={settings} />}
      </QueryView>
    </>
  );
}

const isSame = (one: RecordSettings, other: RecordSettings): boolean =>
  one.rollover === other.rollover && one.user_years.join() === other.user_years.join();

function YearSettings({ saved }: { saved: RecordSettings }) {
  const queryClient = useQueryClient();
  const state = useSettingsDraft({
    saved,
    isSame,
    save: async (draft) => {
      const stored = await saveRecordSettings(draft);
      await queryClient.cancelQueries({ queryKey: recordSettingsQuery.queryKey });
      queryClient.setQueryData(recordSettingsQuery.queryKey, stored);
    },
    savedText: 'Pengaturan data PBB berhasil disimpan',
    failedText: 'Gagal menyimpan tahun pajak warga',
  });
  const { draft: settings, change } = state;
  const count = settings.user_years.length;
  const isCountWrong = count < 1 || count > OPEN_YEARS_MAX;
  return (
    <SettingsForm
      state={state}
      focusWrongField={(form) => {
        if (isCountWrong) form.querySelector<HTMLElement>('input[type="checkbox"]')?.focus();
        return isCountWrong;
      }}
    >
      <OpenYears
        years={settings.user_years}
        error={isCountWrong ? COUNT_WRONG : null}
        onChange={(user_years) => change({ ...settings, user_years })}
      />
      <NewYearMode mode={settings.rollover} onChange={(rollover) => change({ ...settings, rollover })} />
    </SettingsForm>
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
