import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#client/lib/api/api-error.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { showFieldErrors } from '#client/ui/form/field-errors.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { RecoveryCodeBody } from '#shared/api/users.ts';
import { accessTexts } from '#shared/texts.ts';
import { makeRecoveryCode, ownPasswordFields } from '../../api.ts';
import { ownPasswordError } from '../../field-errors.ts';
import { useAskedPassword } from '../../own-password/use-asked-password.ts';
import type { MadeCode } from './code-texts.ts';

/** The account for which the office makes a code. */
export type CodeAccount = {
  id: string;
  name: string;
  /** As it is stored. */
  phone: string | null;
  /** Whether a call to the number proves whose account it is. */
  phone_proves: boolean;
  /** Absent where only the server knows. */
  is_admin?: boolean;
};
export type CheckedBy = RecoveryCodeBody['checked'];
export type ShownCode = MadeCode & { checked: CheckedBy };

/** `busy`: a code may come that must be shown; `code`: it is shown. */
export type CodeState = 'idle' | 'busy' | 'code';

/** Makes a code; the one of an admin needs the own password. */
export function useRecoveryCode(account: CodeAccount, onStateChange: (state: CodeState) => void) {
  const queryClient = useQueryClient();
  const { asksPassword, addField } = useAskedPassword(account.is_admin === true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPhoneRefused, setIsPhoneRefused] = useState(false);
  const [made, setMade] = useState<ShownCode | null>(null);
  const form = useForm({ initialValues: { note: '', current_password: '' } });

  function showError(error: unknown, element: HTMLElement): void {
    if (addField(form, error, element)) return;
    if (messageOf(error, '') === accessTexts.phoneNotProven) setIsPhoneRefused(true);
    if (!showFieldErrors(form, error, element)) setFailure(failureOf(error, 'Gagal membuat kode'));
  }

  const { submit, busy } = useSubmit(async (checked: CheckedBy, element: HTMLElement) => {
    setFailure(null);
    const { note, current_password: password } = form.getValues();
    if (asksPassword && password === '') {
      form.setErrors(ownPasswordError(true, { current_password: password }));
      focusFirstError(element);
      return;
    }
    onStateChange('busy');
    try {
      const own = asksPassword ? ownPasswordFields(password) : {};
      const noted = note.trim() === '' ? {} : { note: note.trim() };
      setMade({ ...(await makeRecoveryCode(account.id, { checked, ...noted, ...own })), checked });
      onStateChange('code');
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
    } catch (error) {
      onStateChange('idle');
      showError(error, element);
    }
  });

  return { form, asksPassword, failure, isPhoneRefused, made, make: submit, busy };
}
