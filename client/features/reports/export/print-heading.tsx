import { detailsOf, type ReportDocument } from '#client/exports/report-document.ts';
import classes from './print-heading.module.css';

type Props = { title: string; report: Pick<ReportDocument, 'office' | 'details' | 'printedAt'> };

/** The head of the printed page: the same letterhead and particulars as the PDF has. */
export function PrintHeading({ title, report }: Props) {
  return (
    <div className={`print-only ${classes['heading']}`}>
      <p className={classes['office']}>{report.office.name}</p>
      <p className={classes['line']}>{report.office.line}</p>
      <p className={classes['title']}>{title}</p>
      <dl className={classes['details']}>
        {detailsOf(report).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
