import { Button, Paper, Text } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import {
  changeInstallRecord,
  countVisit,
  installRecordAtom,
  isGoodMoment,
} from '#client/lib/browser/install-record.ts';
import { paths } from '#client/paths.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useDock } from '#client/ui/screen/docked-panel.ts';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { findInstallWay } from '../display/install-way.ts';
import { askToInstall, installStateAtom } from '../install-prompt.ts';
import classes from './install-hint.module.css';

const loadStepsDialog = async () => (await import('./steps-dialog.tsx')).StepsDialog;

/**
 * Offers to put the app on the home screen (R-PWA-30): at the second visit or after the first message, on the dashboard, where
 * there is no form. It covers nothing that cannot be scrolled away, and whoever declines is never asked again.
 */
export function InstallHint() {
  const { prompt, installed } = useAtomValue(installStateAtom);
  const record = useAtomValue(installRecordAtom);
  const { pathname } = useLocation();
  const [areStepsOpen, setAreStepsOpen] = useState(false);
  const { Component: StepsDialog } = useLazyOverlay(loadStepsDialog, {
    wanted: areStepsOpen,
    failure: 'Langkah pemasangan gagal dimuat',
    onCancel: () => setAreStepsOpen(false),
  });
  const isDocked = useDock() !== null;
  const titleId = useId();
  const isIos = findInstallWay(navigator) === 'ios';

  useEffect(() => countVisit(Date.now()), []);
  useEffect(() => {
    if (installed === 'now') notify.success('PBB Kita terpasang. Buka dari layar utama.');
  }, [installed]);

  function dismiss(): void {
    changeInstallRecord({ isDismissed: true });
    focusHeading();
  }

  const { submit: install, busy } = useSubmit(async () => {
    if (!(await askToInstall())) dismiss();
  });

  const isOffered = installed === 'no' && (prompt !== null || isIos);
  const isShown = isOffered && pathname === paths.dashboard && !isDocked && isGoodMoment(record);
  return (
    <>
      {isShown ? (
        <Paper
          component="section"
          aria-labelledby={titleId}
          withBorder
          shadow="md"
          data-install-hint
          className={`${classes['hint']} no-print`}
        >
          <img src="/icons/icon-192.png" alt="" width={44} height={44} />
          <div className={classes['texts']}>
            <Text id={titleId} fw={600}>
              Pasang PBB Kita di HP ini?
            </Text>
            <Text fz="sm" c="dimmed">
              Ada ikonnya di layar utama, dan terbuka juga saat jaringan lemah.
            </Text>
          </div>
          <div className={classes['buttons']}>
            <Button
              variant="default"
              onClick={() => {
                dismiss();
                notify.info('Lain kali, pasang dari halaman Akun Saya.');
              }}
            >
              Tidak usah
            </Button>
            {prompt ? (
              <Button loading={busy} onClick={() => void install()}>
                Pasang
              </Button>
            ) : (
              <Button
                aria-haspopup="dialog"
                loading={areStepsOpen && !StepsDialog}
                onClick={() => setAreStepsOpen(true)}
              >
                Lihat caranya
              </Button>
            )}
          </div>
        </Paper>
      ) : null}
      {StepsDialog ? (
        <StepsDialog
          opened={areStepsOpen}
          onClose={() => {
            setAreStepsOpen(false);
            dismiss();
          }}
        />
      ) : null}
    </>
  );
}
