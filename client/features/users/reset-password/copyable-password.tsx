import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { copyText } from '#client/lib/browser/copy-text.ts';
import classes from './reset-password.module.css';

const resultTexts = {
  copied: 'Password disalin.',
  selected: 'Password sudah dipilih. Tekan Ctrl+C, atau tahan tulisannya lalu pilih Salin.',
} as const;

type Props = { password: string; children?: ReactNode };

/** A password in large letters, with a button that copies it. */
export function CopyablePassword({ password, children }: Props) {
  const text = useRef<HTMLElement>(null);
  /** The copied password and the result, which does not apply to the next password. */
  const [result, setResult] = useState<{ of: string; how: keyof typeof resultTexts } | null>(null);
  const method = result?.of === password ? result.how : null;
  const Icon = method === 'copied' ? IconCheck : IconCopy;

  async function copy(): Promise<void> {
    if (text.current) setResult({ of: password, how: await copyText(text.current) });
  }

  return (
    <div>
      <code ref={text} className={classes['password']} aria-label="Password baru">
        {password}
      </code>
      <div className={classes['buttons']}>
        <Button
          variant="default"
          aria-label="Salin password"
          leftSection={<Icon size={18} aria-hidden />}
          onClick={() => void copy()}
        >
          Salin
        </Button>
        {children}
      </div>
      <output className={classes['result']}>{method ? resultTexts[method] : ''}</output>
    </div>
  );
}
