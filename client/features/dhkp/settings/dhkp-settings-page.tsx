import { Anchor, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { AreaSelect } from '#client/features/areas/display/area-select.tsx';
import { formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { SettingsForm, useSettingsDraft } from '#client/ui/form/settings-form.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { blocksQuery, dhkpKeys, dhkpSettingsQuery, reloadList, saveBlocks, saveDhkpSettings } from '../api.ts';
import { bookText } from '../display/assessment-texts.ts';
import {
  areLimitsWrong,
  blocksOf,
  draftOf,
  isPrefixWrong,
  isSameDraft,
  type SettingsDraft,
  settingsOf,
} from './settings-draft.ts';

const PREFIX_LENGTH = 10;

/** /admin/settings/dhkp: what holds for all lists of the office. */
export function DhkpSettingsPage() {
  usePageTitle('Pengaturan DHKP');
  const settings = useQuery(dhkpSettingsQuery);
  const blocks = useQuery(blocksQuery);
  const thisYear = yearOf(today());
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        isWayBack={(previous) => previous === paths.adminSettings || previous === paths.adminDhkp}
        title="Pengaturan DHKP"
        description="Berlaku untuk semua daftar objek kantor."
      />
      <QueryView
        isPage
        query={settings}
        failedText="Gagal memuat pengaturan DHKP"
        loading={{ text: 'Memuat pengaturan DHKP…', rows: 3, height: 160 }}
      >
        {(stored) => (
          <QueryView
            isPage
            query={blocks}
            failedText="Gagal memuat blok"
            loading={{ text: 'Memuat blok…', rows: 3, height: 160 }}
          >
            {(found) => <DhkpSettingsForm saved={draftOf(stored, found, [thisYear + 1, thisYear, thisYear - 1])} />}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

function DhkpSettingsForm({ saved }: { saved: SettingsDraft }) {
  const queryClient = useQueryClient();
  const state = useSettingsDraft({
    saved,
    isSame: isSameDraft,
    save: async (draft) => {
      await saveDhkpSettings(settingsOf(draft));
      if (JSON.stringify(blocksOf(draft)) !== JSON.stringify(blocksOf(saved))) await saveBlocks(blocksOf(draft));
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: dhkpKeys.settings }),
        queryClient.invalidateQueries({ queryKey: dhkpKeys.blocks }),
        reloadList(queryClient),
      ]);
    },
    savedText: 'Pengaturan DHKP berhasil disimpan',
    failedText: 'Gagal menyimpan pengaturan DHKP',
  });
  const { draft } = state;
  const change = (part: Partial<SettingsDraft>): void => state.change({ ...draft, ...part });
  const prefixError = isPrefixWrong(draft) ? dhkpTexts.prefixInvalid : undefined;
  const limitsError = areLimitsWrong(draft) ? dhkpTexts.bookLimitsInvalid : undefined;

  return (
    <SettingsForm
      state={state}
      focusWrongField={(form) => {
        const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]');
        if (prefixError !== undefined || limitsError !== undefined) wrong?.focus();
        return prefixError !== undefined || limitsError !== undefined || focusInvalidDate(form);
      }}
    >
      <FormSection
        title="Awalan NOP"
        text="10 angka pertama NOP desa. Dipakai untuk NOP yang ditulis 8 angka: blok, nomor urut, dan jenis."
      >
        <TextInput
          label="Awalan NOP"
          placeholder="3515180012"
          inputMode="numeric"
          maxLength={PREFIX_LENGTH}
          value={draft.prefix}
          error={prefixError}
          onChange={(event) => change({ prefix: event.currentTarget.value.replaceAll(/\D/g, '') })}
        />
      </FormSection>
      <FormSection title="Batas buku" text="Ketetapan terbesar tiap buku. Yang di atas Buku IV termasuk Buku V.">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {draft.limits.map((limit, index) => (
            <NumberInput
              key={bookText(index + 1)}
              label={`${bookText(index + 1)} sampai`}
              leftSection={
                <Text component="span" c="dimmed" aria-hidden>
                  Rp
                </Text>
              }
              value={limit}
              onChange={(value) => change({ limits: draft.limits.with(index, value) })}
              min={1}
              clampBehavior="none"
              allowDecimal={false}
              thousandSeparator="."
              decimalSeparator=","
              hideControls
              error={limitsError === undefined ? undefined : true}
            />
          ))}
        </SimpleGrid>
        {limitsError === undefined ? null : (
          <Text fz="sm" c="red" role="alert">
            {limitsError}
          </Text>
        )}
      </FormSection>
      <FormSection title="Jatuh tempo" text="Untuk objek yang berkasnya tidak memuat jatuh tempo.">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {draft.dueDates.map(({ year, date }, index) => (
            <DateField
              key={year}
              label={`Jatuh tempo ${year}`}
              value={date}
              openAt={`${year}-09-01`}
              onChange={(next) => change({ dueDates: draft.dueDates.with(index, { year, date: next }) })}
            />
          ))}
        </SimpleGrid>
      </FormSection>
      <FormSection
        title="Blok dan wilayah"
        text="Blok adalah angka ke-11 sampai ke-13 NOP. Objek tanpa wilayah sendiri mengikuti bloknya."
      >
        <Text fz="sm">
          Dusun, RW, dan RT ditambahkan di{' '}
          <Anchor component={Link} to={paths.adminAreas} inherit underline="always">
            Wilayah
          </Anchor>
          .
        </Text>
        {draft.blocks.length === 0 ? (
          <Text fz="sm" c="dimmed">
            Blok tampil di sini sesudah daftar pertama diterapkan.
          </Text>
        ) : (
          <Stack gap="sm">
            {draft.blocks.map((block, index) => (
              <AreaSelect
                key={block.block}
                label={`Blok ${block.block} (${formatNumber(block.objects)} objek)`}
                placeholder="Tanpa wilayah"
                value={block.areaId}
                onChange={(areaId) => change({ blocks: draft.blocks.with(index, { ...block, areaId }) })}
              />
            ))}
          </Stack>
        )}
      </FormSection>
    </SettingsForm>
  );
}
