import { Button, Stack } from '@mantine/core';
import {
  IconDeviceFloppy,
  IconRestore,
  IconBuildingCommunity,
  IconCalendarCog,
  IconCalendarX,
  IconClock,
  IconListDetails,
  IconMap2,
  IconMessageBolt,
  type TablerIcon,
} from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { InstallCard } from '#client/features/install/display/install-card.tsx';
import { LinkCard } from '#client/ui/page/link-card.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { AddressCard } from './addresses/address-card.tsx';
import { BackupCard } from './backups/backup-card.tsx';
import { NotificationSettingsCard } from './notifications/notification-settings-card.tsx';
import { ReachCard } from './reach/reach-card.tsx';
import { PushCard } from './notifications/push-card.tsx';
import { SystemInfoCard } from './info/system-info-card.tsx';
import { type AdminSettings, type SettingsDeps, useStoredSettings } from './notifications/use-stored-settings.ts';
import classes from './settings.module.css';
import { paths } from '#client/paths.ts';

/** As in settings.module.css. */
const TWO_COLUMNS_EM = 68.75;

function hasChanges(one: AdminSettings, other: AdminSettings): boolean {
  return (
    one.notifications !== other.notifications ||
    one.desktopNotifications !== other.desktopNotifications ||
    one.chatSound !== other.chatSound ||
    one.repeatSound !== other.repeatSound
  );
}

/** /admin/settings: notifications of this browser, system, backups and addresses (docs/requirements.md R-UI-15). */
export function SettingsPage({ deps }: { deps: SettingsDeps }) {
  usePageTitle('Pengaturan Admin');
  const [saved, write] = useStoredSettings(deps);
  const [changes, setChanges] = useState<Partial<AdminSettings>>({});
  const settings = { ...saved, ...changes };
  const unsaved = hasChanges(settings, saved);
  useUnsavedWarning(unsaved);
  // In one column the backups come first: they matter more than the switches of this browser.
  const hasTwoColumns = useWideScreen(TWO_COLUMNS_EM);

  function save(event: SubmitEvent): void {
    event.preventDefault();
    write(settings);
    setChanges({});
    notify.success('Pengaturan berhasil disimpan');
  }

  async function reset(): Promise<void> {
    const isConfirmed = await confirm({
      title: 'Reset Pengaturan',
      message: 'Semua pengaturan notifikasi di peramban ini kembali ke nilai awal. Anda yakin ingin melanjutkan?',
      confirmLabel: 'Reset',
    });
    if (!isConfirmed) return;
    write(deps.defaults);
    setChanges({});
    notify.success('Pengaturan berhasil direset');
  }

  return (
    <>
      <PageHeader title="Pengaturan Admin" />
      <SettingsLinks />
      <div className={classes['columns']}>
        <Stack gap="lg">
          {hasTwoColumns ? null : <BackupCard />}
          <form onSubmit={save}>
            <NotificationSettingsCard
              settings={settings}
              playBeep={deps.playBeep}
              onChange={(change) => setChanges((before) => ({ ...before, ...change }))}
            >
              <div className={classes['saveBar']}>
                <SaveButton
                  busy={false}
                  aria-label="Simpan (Save)"
                  leftSection={<IconDeviceFloppy size={18} aria-hidden />}
                >
                  Simpan
                </SaveButton>
                <Button
                  variant="default"
                  leftSection={<IconRestore size={18} aria-hidden />}
                  onClick={() => void reset()}
                >
                  Reset
                </Button>
                <output className={classes['dim']}>
                  {unsaved
                    ? 'Ada perubahan yang belum disimpan.'
                    : 'Simpan dan Reset hanya untuk pilihan di kartu ini.'}
                </output>
              </div>
            </NotificationSettingsCard>
          </form>
          <PushCard />
          <SystemInfoCard />
        </Stack>
        <Stack gap="lg">
          {hasTwoColumns ? <BackupCard /> : null}
          <ReachCard />
          <AddressCard />
          <InstallCard onPlainHttp="reason" />
        </Stack>
      </div>
    </>
  );
}

/** Settings of the whole office with a page of their own. */
const pages: readonly { to: string; title: string; text: string; icon: TablerIcon }[] = [
  {
    to: paths.adminOfficeIdentity,
    title: 'Identitas Kantor',
    text: 'Nama, alamat, telepon, WhatsApp, dan logo',
    icon: IconBuildingCommunity,
  },
  {
    to: paths.adminOfficeHours,
    title: 'Jam Layanan',
    text: 'Hari dan jam buka, libur, tutup lebih awal',
    icon: IconClock,
  },
  {
    to: paths.adminTaxYears,
    title: 'Tahun Pajak Warga',
    text: 'Tahun SPPT yang dapat diisi, data tahun baru',
    icon: IconCalendarCog,
  },
  {
    to: paths.adminDhkpSettings,
    title: 'Pengaturan DHKP',
    text: 'Awalan NOP, batas buku, jatuh tempo, blok',
    icon: IconListDetails,
  },
  {
    to: paths.adminAreas,
    title: 'Wilayah',
    text: 'Dusun, RW, dan RT',
    icon: IconMap2,
  },
  {
    to: paths.adminRetention,
    title: 'Masa Simpan',
    text: 'Pesan lama dan akun yang tidak dipakai',
    icon: IconCalendarX,
  },
  {
    to: paths.quickReplies,
    title: 'Balasan Cepat',
    text: 'Jawaban siap pakai untuk chat',
    icon: IconMessageBolt,
  },
];

function SettingsLinks() {
  return (
    <nav aria-label="Pengaturan kantor">
      <ul className={`${classes['columns']} ${classes['pages']}`}>
        {pages.map((page) => (
          <li key={page.to}>
            <LinkCard {...page} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
