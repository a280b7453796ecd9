import { detailsWithPrintTime, type ReportDocument } from '#client/exports/report-document.ts';
import classes from './report-print-heading.module.css';

type Props = { title: string; report: Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'> };

/** The heading of the printed page, with the letterhead and details of the PDF. */
export function ReportPrintHeading({ title, report }: Props) {
  return (
    <div className={`print-only ${classes['heading']}`}>
      <p className={classes['letterhead']}>{report.letterhead.name}</p>
      <p className={classes['line']}>{report.letterhead.line}</p>
      <p className={classes['title']}>{title}</p>
      <dl className={classes['details']}>
        {detailsWithPrintTime(report).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
