import { detailsWithPrintTime } from '#client/exports/report-document.ts';
import type { ReportHead } from '#client/exports/report-head.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';

/** The heading of the printed page, with the details of the PDF. */
export function ReportPrintHeading({ title, head }: { title: string; head: ReportHead }) {
  return (
    <div className="print-only">
      <PaperHead title={title} details={detailsWithPrintTime(head)} />
    </div>
  );
}
