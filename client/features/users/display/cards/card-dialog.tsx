import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconId } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { showFieldErrors } from '#client/ui/form/field-errors.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { ownPasswordFields } from '../../api.ts';
import { ownPasswordError } from '../../field-errors.ts';
import { OwnPasswordField } from '../../own-password/own-password-field.tsx';
import { useAskedPassword } from '../../own-password/use-asked-password.ts';
import { LEAVE_CARDS_QUESTION, MadeCardsView } from './made-cards-view.tsx';
import { type CardHolder, type MissingCard, useCardBatch } from './use-card-batch.ts';

/** The persons who get cards, and who or what was chosen too and gets none. */
export type CardRequest = { holders: readonly CardHolder[]; skipped?: readonly MissingCard[] };

const NONE_SKIPPED: readonly MissingCard[] = [];

type Props = { request: CardRequest | null; onClose: () => void };

/** Makes cards after a question and shows them once, to be printed (docs/requirements.md R-ACCESS-52). Open while `request` is set. */
export function CardDialog({ request, onClose }: Props) {
  // The content stays while the dialog fades out; the next opening begins anew.
  const [shown, setShown] = useState(request);
  const [openCount, setOpenCount] = useState(0);
  const [wasOpen, setWasOpen] = useState(request !== null);
  const [state, setState] = useState<'idle' | 'busy' | 'cards'>('idle');
  if (wasOpen !== (request !== null)) {
    setWasOpen(request !== null);
    if (request) {
      setShown(request);
      setOpenCount(openCount + 1);
      setState('idle');
    }
  }

  async function close(): Promise<void> {
    if (state === 'busy' || (state === 'cards' && !(await confirm(LEAVE_CARDS_QUESTION)))) return;
    onClose();
  }

  return (
    <Modal
      opened={request !== null}
      onClose={() => void close()}
      title="Kartu warga"
      size="lg"
      // A slip of the hand must not close a dialog whose codes are shown only once.
      closeOnEscape={state === 'idle'}
      closeOnClickOutside={false}
    >
      {shown ? (
        <Content key={openCount} request={shown} onCancel={() => void close()} onDone={onClose} onState={setState} />
      ) : null}
    </Modal>
  );
}

type ContentProps = {
  request: CardRequest;
  onCancel: () => void;
  onDone: () => void;
  onState: (state: 'idle' | 'busy' | 'cards') => void;
};

function Content({ request: { holders, skipped = NONE_SKIPPED }, onCancel, onDone, onState }: ContentProps) {
  const { cards, missing, progress, make, busy, stop } = useCardBatch(skipped);
  const { asksPassword, addField } = useAskedPassword(false);
  const [isMade, setIsMade] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const form = useForm({ initialValues: { current_password: '' } });
  useUnsavedWarning(busy, LEAVE_CARDS_QUESTION);
  const state = busy ? 'busy' : cards.length > 0 ? 'cards' : 'idle';
  useEffect(() => onState(state), [onState, state]);

  async function start(chosen: readonly CardHolder[], element: HTMLElement | null): Promise<void> {
    setFailure(null);
    try {
      await make(chosen, asksPassword ? ownPasswordFields(form.getValues().current_password) : {});
      setIsMade(true);
    } catch (error) {
      if (element && (addField(form, error, element) || showFieldErrors(form, error, element))) return;
      setFailure(failureOf(error, 'Kartu gagal dibuat'));
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const errors = ownPasswordError(asksPassword, form.getValues());
    form.setErrors(errors);
    if (Object.keys(errors).length > 0) focusFirstError(event.currentTarget);
    else void start(holders, event.currentTarget);
  }

  if (progress && progress.total > 1) return <MakingProgress {...progress} onStop={stop} />;
  if (isMade)
    return (
      <>
        <FormFailure failure={failure} />
        <MadeCardsView
          cards={cards}
          missing={missing}
          onRetry={(retried) => void start(retried, null)}
          onDone={onDone}
        />
      </>
    );
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Question holders={holders} skipped={skipped} />
        <FormFailure failure={failure} />
        {asksPassword ? <OwnPasswordField {...form.getInputProps('current_password')} /> : null}
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          <Button variant="default" onClick={onCancel}>
            Batal
          </Button>
          {holders.length > 0 ? (
            <SaveButton
              busy={busy}
              busyLabel="Membuat..."
              leftSection={<IconId size={18} aria-hidden />}
              data-autofocus
            >
              {holders.length === 1 ? 'Buat kartu' : `Buat ${formatNumber(holders.length)} kartu`}
            </SaveButton>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

function Question({ holders, skipped }: Required<CardRequest>) {
  const [first] = holders;
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return (
    <>
      {first ? (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {holders.length === 1 ? (
            <>
              Kartu untuk <b>{first.name}</b>.
            </>
          ) : (
            <b>{formatNumber(holders.length)} kartu, satu untuk tiap orang.</b>
          )}{' '}
          Kartu sebelumnya, PIN-nya, dan perangkat yang masuk dengannya langsung berakhir. PIN baru dipilih pemegang
          kartu sendiri.
        </Text>
      ) : null}
      {first ? (
        <Text>
          Serahkan kartu dan potongannya kepada orangnya sendiri, sesudah memeriksa KTP-nya. Ia menelepon? Minta datang
          ke kantor: jangan bacakan kode lewat telepon.
        </Text>
      ) : null}
      {skipped.length > 0 ? (
        <Text>
          {formatNumber(skipped.length)} pilihan tanpa kartu. {reasons.join(' ')}
        </Text>
      ) : null}
    </>
  );
}

type ProgressProps = { done: number; total: number; onStop: () => void };

function MakingProgress({ done, total, onStop }: ProgressProps) {
  return (
    <Stack gap="md">
      <Text component="output">
        Membuat kartu {formatNumber(done + 1)} dari {formatNumber(total)}…
      </Text>
      <Progress value={(done / total) * 100} aria-label="Membuat kartu" />
      <Group justify="flex-end" className="dialog-actions">
        <Button variant="default" onClick={onStop}>
          Berhenti
        </Button>
      </Group>
    </Stack>
  );
}
