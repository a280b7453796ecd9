import { useState } from 'react';
import { flushSync } from 'react-dom';
import { exportReport } from '#client/exports/export-report.ts';
import { WORKER_HINT } from '#client/exports/use-export.ts';
import { ExportWorkerError } from '#client/exports/worker-connection.ts';
import { useSession } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { usePrintSheet } from '#client/ui/print/print-sheet.tsx';
import type { Transcript } from '#shared/api/chat/inbox.ts';
import { fetchTranscript } from '../api.ts';
import { DownloadDialog } from './download-dialog.tsx';
import { transcriptHead, type TranscriptPeriod, transcriptReport } from './transcript-report.ts';
import { TranscriptSheet } from './transcript-sheet.tsx';

type Props = { userId: string; name: string; opened: boolean; onClose: () => void };

/** 'Unduh percakapan': asks for the days, then prints them or saves them as PDF, both made in the browser (R-INBOX-31). */
export function DownloadConversation({ userId, name, opened, onClose }: Props) {
  const printedBy = useSession()?.user?.name ?? '-';
  const [busyWith, setBusyWith] = useState<'print' | 'pdf' | null>(null);
  const [sheet, setSheet] = useState<{ transcript: Transcript; head: ReturnType<typeof transcriptHead> } | null>(null);
  const printSheet = usePrintSheet();

  const { submit } = useSubmit(async (kind: 'print' | 'pdf', period: TranscriptPeriod) => {
    setBusyWith(kind);
    try {
      const transcript = await fetchTranscript(userId, period);
      const about = { period, printedBy, nowMs: Date.now() };
      if (kind === 'pdf') {
        await exportReport('pdf', transcriptReport(transcript, about));
        notify.success('Percakapan berhasil diunduh sebagai PDF');
        onClose();
        return;
      }
      // The browser captures the page at once.
      flushSync(() => {
        setSheet({ transcript, head: transcriptHead(transcript, about) });
        onClose();
      });
      printSheet();
    } catch (error) {
      if (error instanceof ExportWorkerError) notify.error('Gagal mengunduh percakapan', WORKER_HINT);
      else notify.failure(error, 'Gagal mengunduh percakapan');
    } finally {
      setBusyWith(null);
    }
  });

  return (
    <>
      {opened ? (
        <DownloadDialog
          name={name}
          busy={busyWith}
          onPrint={(period) => void submit('print', period)}
          onPdf={(period) => void submit('pdf', period)}
          onClose={onClose}
        />
      ) : null}
      {sheet ? <TranscriptSheet transcript={sheet.transcript} head={sheet.head} /> : null}
    </>
  );
}
