import { detailsWithPrintTime, type ReportDocument } from '#client/exports/report-document.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';

type Props = { title: string; report: Pick<ReportDocument, 'details' | 'printedAt'> };

/** The heading of the printed page, with the details of the PDF. */
export function ReportPrintHeading({ title, report }: Props) {
  return (
    <div className="print-only">
      <PaperHead title={title} details={detailsWithPrintTime(report)} />
    </div>
  );
}
