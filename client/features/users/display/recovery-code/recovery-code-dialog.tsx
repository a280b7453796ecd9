import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconBuildingCommunity, IconPhone } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { CODE_NOTE_MAX } from '#shared/limits.ts';
import { formatPhone } from '#shared/domain/users/phone.ts';
import { OwnPasswordField } from '../../own-password/own-password-field.tsx';
import { LEAVE_QUESTION, MadeCodeView } from './made-code-view.tsx';
import { type CheckedBy, type CodeAccount, type CodeState, useRecoveryCode } from './use-recovery-code.ts';

type Props = {
  account: CodeAccount | null;
  onClose: () => void;
};

/** 'Buat kode masuk': how the office knows who asks, then the code, shown once (R-ACCESS-33). Open while `account` is set. */
export function RecoveryCodeDialog({ account, onClose }: Props) {
  // The content stays while the dialog fades out; the next opening begins anew.
  const [shown, setShown] = useState(account);
  const [openCount, setOpenCount] = useState(0);
  const [wasOpen, setWasOpen] = useState(account !== null);
  const [state, setState] = useState<CodeState>('idle');
  if (wasOpen !== (account !== null)) {
    setWasOpen(account !== null);
    if (account) {
      setShown(account);
      setOpenCount(openCount + 1);
      setState('idle');
    }
  }

  async function close(): Promise<void> {
    if (state === 'busy' || (state === 'code' && !(await confirm(LEAVE_QUESTION)))) return;
    onClose();
  }

  return (
    <Modal
      opened={account !== null}
      onClose={() => void close()}
      title="Kode masuk"
      size="md"
      // A slip of the hand must not close a dialog whose code is shown only once.
      closeOnEscape={state === 'idle'}
      closeOnClickOutside={false}
    >
      {shown ? (
        <Content
          key={openCount}
          account={shown}
          onCancel={() => void close()}
          onDone={onClose}
          onStateChange={setState}
        />
      ) : null}
    </Modal>
  );
}

type ContentProps = {
  account: CodeAccount;
  onCancel: () => void;
  onDone: () => void;
  onStateChange: (state: CodeState) => void;
};

function Content({ account, onCancel, onDone, onStateChange }: ContentProps) {
  const { form, asksPassword, failure, isPhoneRefused, made, make } = useRecoveryCode(account, onStateChange);
  const box = useRef<HTMLFormElement>(null);
  /** The way that Enter in the field of the password repeats. */
  const [chosen, setChosen] = useState<CheckedBy | null>(null);
  if (made) return <MadeCodeView account={account} made={made} onDone={onDone} />;

  function choose(checked: CheckedBy): void {
    setChosen(checked);
    if (box.current) void make(checked, box.current);
  }

  return (
    <form ref={box} noValidate onSubmit={(event) => event.preventDefault()}>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          Kode masuk untuk <b>{account.name}</b>. Dengan kode ini ia memilih password baru sendiri; Anda tidak perlu
          mengetahuinya.
        </Text>
        <FormFailure failure={failure} />
        {asksPassword ? (
          <OwnPasswordField
            {...form.getInputProps('current_password')}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && chosen) choose(chosen);
            }}
          />
        ) : null}
        <TextInput
          label="Cara memeriksa"
          description="Misalnya KTP dicocokkan. Boleh dikosongkan; hanya admin yang melihatnya, di riwayat."
          maxLength={CODE_NOTE_MAX}
          autoComplete="off"
          {...form.getInputProps('note')}
        />
        <Choice
          label="Di loket"
          text="Orangnya ada di depan Anda, dan Anda mengenalinya atau memeriksa KTP-nya."
          icon={<IconBuildingCommunity size={20} aria-hidden />}
          isFirst
          onChoose={() => choose('counter')}
        />
        {!account.phone || !account.phone_proves || isPhoneRefused ? (
          <Text>
            {account.phone
              ? 'Nomor HP ini baru, atau dipakai beberapa akun: hanya di loket. Ia menelepon? Minta datang membawa KTP.'
              : 'Akun ini tanpa nomor HP: hanya di loket. Ia menelepon? Minta datang membawa KTP.'}
          </Text>
        ) : (
          <Choice
            label="Lewat telepon"
            text={
              <>
                Anda sendiri menelepon atau mengirim WhatsApp ke{' '}
                <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(account.phone)}</span>. Bukan ia yang menelepon
                Anda.
              </>
            }
            icon={<IconPhone size={20} aria-hidden />}
            onChoose={() => choose('phone')}
          />
        )}
        <Group justify="flex-end" className="dialog-actions">
          <Button variant="default" onClick={onCancel}>
            Batal
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type ChoiceProps = { label: string; text: ReactNode; icon: ReactNode; isFirst?: boolean; onChoose: () => void };

function Choice({ label, text, icon, isFirst = false, onChoose }: ChoiceProps) {
  const textId = useId();
  return (
    <div>
      <Button
        fullWidth
        variant={isFirst ? 'filled' : 'light'}
        leftSection={icon}
        data-autofocus={isFirst || undefined}
        aria-describedby={textId}
        onClick={onChoose}
        // A key that is held down since the dialog was opened chooses nothing.
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault();
        }}
      >
        {label}
      </Button>
      <Text id={textId} fz="sm" c="dimmed" mt={4}>
        {text}
      </Text>
    </div>
  );
}
