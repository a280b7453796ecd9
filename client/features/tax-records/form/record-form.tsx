import { Button } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { ProofField, UploadProgress } from './proof-field.tsx';
import { SaveBar } from '#client/ui/form/save-bar.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import type { RecordFormState } from './use-record-form.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { RecordFields } from './record-fields.tsx';
import classes from './record-form.module.css';

/** Texts about the quota; null where nothing has to be said. */
export type QuotaNotice = { records: string | null; proof: string | null };

type Props = {
  state: RecordFormState;
  /** URL of the button 'Batal'. */
  cancelTo: string;
  /** Whether an admin fills it in. */
  isAdminForm?: boolean;
  isNew?: boolean;
  /** The years that a user may choose, newest first. */
  years?: readonly number[];
  /** The stored image, on an edit. */
  proofUrl?: string | null;
  saveLabel: string;
  /** The limits of the owner's quota that are reached. */
  notice: QuotaNotice;
  /** Shown above the fields. */
  children?: ReactNode;
};

const NO_YEARS: readonly number[] = [];

/** The form of a new or an existing record, for its owner and for admins. */
export function RecordForm({
  state,
  cancelTo,
  isAdminForm = false,
  isNew = false,
  years = NO_YEARS,
  proofUrl = null,
  saveLabel,
  notice,
  children,
}: Props) {
  const { form, busy, saved, progress, failure } = state;
  return (
    <form noValidate onSubmit={state.onSubmit} className={classes['form']}>
      {children}
      {notice.records !== null && !saved ? <FormAlert kind="warning" message={notice.records} /> : null}
      {state.kept ? (
        <FormAlert
          kind="info"
          message="Isian Anda sebelum sesi berakhir sudah dipulihkan. Periksa lalu simpan."
          hint={state.kept.hadPhoto ? 'Foto bukti pembayaran perlu dipilih lagi.' : undefined}
        />
      ) : null}
      <RecordFields
        values={form.values}
        errors={form.errors}
        setField={form.setFieldValue}
        isAdminForm={isAdminForm}
        isNew={isNew}
        years={years}
        proof={
          <FormSection title="Bukti Pembayaran">
            <ProofField
              label="Foto bukti pembayaran"
              hideLabel
              value={state.proof}
              onChange={state.changeProof}
              currentUrl={proofUrl}
              onBusyChange={state.setPhotoBusy}
              error={state.proofError}
              notice={saved ? null : notice.proof}
            />
          </FormSection>
        }
      />
      <SaveBar
        status={
          <>
            {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
            {progress === null ? null : <UploadProgress fraction={progress} />}
          </>
        }
      >
        <Button component={Link} to={cancelTo} variant="default" aria-label="Batal (Cancel)">
          Batal
        </Button>
        <SaveButton
          busy={busy || saved}
          disabled={state.photoBusy}
          aria-label={`${saveLabel} (Save)`}
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
        >
          {saveLabel}
        </SaveButton>
      </SaveBar>
    </form>
  );
}
