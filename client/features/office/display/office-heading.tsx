import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import classes from './office-heading.module.css';

/** The office above a form for guests; nothing while it has neither name nor logo (R-OFFICE-24). */
export function OfficeHeading() {
  const { name, logo_url: logoUrl } = useOfficeIdentity();
  if (name === '' && logoUrl === null) return null;
  return (
    <div className={classes['heading']}>
      {logoUrl === null ? null : (
        <img src={uploadedFileUrl(logoUrl)} alt={name === '' ? 'Logo kantor' : ''} className={classes['logo']} />
      )}
      {name === '' ? null : <p className={classes['name']}>{name}</p>}
    </div>
  );
}
