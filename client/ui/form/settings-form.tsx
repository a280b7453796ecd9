import { Button, Stack } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { type Failure, FormFailure, failureOf } from '../feedback/form-failure.tsx';
import { notify } from '../feedback/notify.tsx';
import { SaveBar } from './save-bar.tsx';
import { SaveButton } from './save-button.tsx';
import { useSubmit } from './use-submit.ts';
import { useUnsavedWarning } from './use-unsaved-warning.ts';

type Options<Draft> = {
  saved: Draft;
  isSame: (draft: Draft, saved: Draft) => boolean;
  /** Stores the draft and puts it into the cache. */
  save: (draft: Draft) => Promise<void>;
  savedText: string;
  /** For an error without a text of the server. */
  failedText: string;
};

/** The input over stored settings. It stays after a failed save, and when another admin saves meanwhile. */
export function useSettingsDraft<Draft>({ saved, isSame, save, savedText, failedText }: Options<Draft>) {
  const [typed, setTyped] = useState<Draft | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const draft = typed ?? saved;
  const isUnsaved = typed !== null && !isSame(typed, saved);
  useUnsavedWarning(isUnsaved);

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    try {
      await save(draft);
      setTyped(null);
      notify.success(savedText);
    } catch (error) {
      setFailure(failureOf(error, failedText));
    }
  });

  function discard(): void {
    setTyped(null);
    setFailure(null);
  }

  return { draft, change: setTyped, discard, isUnsaved, failure, busy, submit };
}

type Props = {
  state: Pick<ReturnType<typeof useSettingsDraft>, 'discard' | 'isUnsaved' | 'failure' | 'busy' | 'submit'>;
  /** Focuses the first wrong field. @returns whether there is one, so that nothing is saved */
  focusWrongField: (form: HTMLFormElement) => boolean;
  children: ReactNode;
};

/** The cards of a settings page, with the buttons that save and discard. */
export function SettingsForm({ state, focusWrongField, children }: Props) {
  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!focusWrongField(event.currentTarget)) void state.submit();
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md" maw="46rem">
        {children}
        <SaveBar status={<FormFailure failure={state.failure} />}>
          {state.isUnsaved ? (
            <Button variant="default" onClick={state.discard}>
              Buang perubahan
            </Button>
          ) : null}
          <SaveButton
            busy={state.busy}
            aria-label="Simpan (Save)"
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          >
            Simpan
          </SaveButton>
        </SaveBar>
      </Stack>
    </form>
  );
}
