import { Button } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { copyText } from '#client/lib/browser/copy-text.ts';
import classes from './copyable-secret.module.css';

type Props = {
  secret: string;
  /** The word for it in a sentence: 'password'. */
  word: string;
  /** Names it for screen readers: 'Password baru'. */
  label: string;
  /** To be read from a distance. */
  isLarge?: boolean;
  /** Several codes, one a line. */
  isList?: boolean;
  /** Further buttons. */
  children?: ReactNode;
  ref?: Ref<HTMLElement>;
};

/** A password or code in large letters, with a button that copies it. */
export function CopyableSecret({ secret, word, label, isLarge = false, isList = false, children, ref }: Props) {
  const text = useRef<HTMLElement>(null);
  /** The copied text and the result, which does not apply to the next one. */
  const [result, setResult] = useState<{ of: string; how: 'copied' | 'selected' } | null>(null);
  const method = result?.of === secret ? result.how : null;
  const Icon = method === 'copied' ? IconCheck : IconCopy;
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  const resultTexts = {
    copied: `${name} disalin.`,
    selected: `${name} sudah dipilih. Tekan Ctrl+C, atau tahan tulisannya lalu pilih Salin.`,
  };

  async function copy(): Promise<void> {
    if (text.current) setResult({ of: secret, how: await copyText(text.current) });
  }

  return (
    <div>
      <code
        ref={useMergedRef(text, ref)}
        tabIndex={-1}
        className={classes['secret']}
        data-large={isLarge || undefined}
        data-list={isList || undefined}
        aria-label={label}
      >
        {secret}
      </code>
      <div className={classes['buttons']}>
        <Button
          variant="default"
          aria-label={`Salin ${word}`}
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
