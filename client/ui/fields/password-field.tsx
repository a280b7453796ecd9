import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';

type Props = Omit<TextInputProps, 'type' | 'rightSection' | 'label'> & {
  label: string;
  /** 'off' for what is no password, like a PIN. */
  autoComplete: 'current-password' | 'new-password' | 'off';
  /** Names the hidden text as on the screen, in a sentence: 'password baru'. */
  secretLabel?: string;
};

/** A password with a button that shows or hides it. */
export function PasswordField({ label, secretLabel = 'password', ...props }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      label={label}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      rightSectionWidth={48}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={shown ? `Sembunyikan ${secretLabel} (Hide)` : `Tampilkan ${secretLabel} (Show)`}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} aria-hidden />
        </ActionIcon>
      }
    />
  );
}

/** Shows password managers to which account the passwords of a form belong. */
export function PasswordOwner({ email }: { email: string | undefined }) {
  return <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />;
}
