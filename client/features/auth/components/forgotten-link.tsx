import { Anchor, Text } from '@mantine/core';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';

const HELP_ID = 'lupa';
const loadHelp = async () => (await import('./password-help.tsx')).PasswordHelp;

type Props = {
  kind: 'password' | 'card';
  /** The e-mail address or the code of the card that was typed to enter. */
  identifier: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
};

/** 'Lupa password?' or 'Lupa PIN?', with the help below it. */
export function ForgottenLink({ kind, identifier, isOpen, onToggle }: Props) {
  const help = useLazyComponent(loadHelp, { wanted: isOpen, delayMs: 0 });
  return (
    <>
      <Text mt="sm" ta="center">
        <Anchor
          component="button"
          type="button"
          className="link-target"
          aria-expanded={isOpen}
          aria-controls={HELP_ID}
          onClick={() => onToggle(!isOpen)}
        >
          {kind === 'card' ? 'Lupa PIN?' : 'Lupa password?'}
        </Anchor>
      </Text>
      <div id={HELP_ID}>
        {isOpen && help.Component ? <help.Component kind={kind} identifier={identifier} /> : null}
        {isOpen && help.hasFailed ? (
          <FormAlert kind="warning" message="Bantuan belum dapat dimuat. Periksa koneksi Anda." />
        ) : null}
      </div>
    </>
  );
}
