import { isLongName, letterheadOf } from '#client/lib/office/letterhead.ts';
import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import classes from './paper-head.module.css';

type Props = {
  /** Without one the paper has a title of its own kind. */
  title?: string;
  details?: readonly { label: string; value: string }[];
};

/** The head of every printed page: the office, and what the paper is about (docs/requirements.md R-OFFICE-26). */
export function PaperHead({ title, details }: Props) {
  const { name, serviceLine, addressLines, logoUrl } = letterheadOf(useOfficeIdentity());
  return (
    <div className={classes['paper']}>
      <div className={classes['letterhead']}>
        {logoUrl === null ? null : <img src={uploadedFileUrl(logoUrl)} alt="" className={classes['logo']} />}
        <div className={classes['office']}>
          <p className={classes['name']} data-long={isLongName(name) || undefined}>
            {name}
          </p>
          {serviceLine === null ? null : <p className={classes['line']}>{serviceLine}</p>}
          {addressLines.map((line) => (
            <p key={line} className={classes['line']}>
              {line}
            </p>
          ))}
        </div>
      </div>
      {title === undefined ? null : <p className={classes['title']}>{title}</p>}
      {!details?.length ? null : (
        <dl className={classes['details']}>
          {details.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
