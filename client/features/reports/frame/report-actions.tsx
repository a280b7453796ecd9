import { VisuallyHidden } from '@mantine/core';
import { IconFileSpreadsheet, IconFileTypePdf, IconPrinter, type TablerIcon } from '@tabler/icons-react';
import { exportReport } from '#client/exports/export-report.ts';
import type { ReportDocument } from '#client/exports/report-document.ts';
import { WORKER_HINT } from '#client/exports/use-export.ts';
import type { ExportKind } from '#client/exports/worker-messages.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import classes from './report-actions.module.css';
import { ActionButton } from '#client/ui/page/action-button.tsx';

type CreateReport = () => ReportDocument | null;

const disabledReasons = {
  pending: 'Tunggu sampai data laporan selesai dimuat.',
  error: 'Data laporan belum berhasil dimuat.',
  success: null,
} as const;

const exportFormats: Record<ExportKind, { label: string; icon: TablerIcon; name: string }> = {
  pdf: { label: 'Export PDF', icon: IconFileTypePdf, name: 'PDF' },
  xlsx: { label: 'Export Excel', icon: IconFileSpreadsheet, name: 'Excel' },
};

type ExportButtonProps = { kind: ExportKind; disabledReason: string | null; createReport: CreateReport };

function ExportButton({ kind, disabledReason, createReport }: ExportButtonProps) {
  const { label, icon, name } = exportFormats[kind];
  const { submit, busy } = useSubmit(async () => {
    // Built at the press, because the user exports what is on screen then. The file is saved two seconds later.
    const report = createReport();
    if (!report) return;
    try {
      await exportReport(kind, report);
      notify.success(`Laporan berhasil diekspor ke ${name}`);
    } catch {
      notify.error(`Gagal mengekspor laporan ke ${name}`, WORKER_HINT);
    }
  });
  return (
    <>
      <ActionButton icon={icon} disabledReason={disabledReason} busy={busy} onPress={() => void submit()}>
        {label}
      </ActionButton>
      <VisuallyHidden component="output">{busy ? `Menyiapkan berkas ${name}…` : ''}</VisuallyHidden>
    </>
  );
}

type Props = {
  /** The state of the shown data. Only loaded data can be printed or exported. */
  status: keyof typeof disabledReasons;
  createReport: CreateReport;
};

/** Print, Export PDF, Export Excel (R-REPORT-4, R-REPORT-6). */
export function ReportActions({ status, createReport }: Props) {
  const disabledReason = disabledReasons[status];
  return (
    <div className={classes['actions']}>
      <ActionButton icon={IconPrinter} disabledReason={disabledReason} onPress={() => window.print()}>
        Print
      </ActionButton>
      <ExportButton kind="pdf" disabledReason={disabledReason} createReport={createReport} />
      <ExportButton kind="xlsx" disabledReason={disabledReason} createReport={createReport} />
    </div>
  );
}
