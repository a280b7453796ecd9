import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { copyText } from '#client/lib/copy-text.ts';
import classes from '../settings.module.css';

const resultTexts = {
  copied: 'Alamat disalin.',
  selected: 'Alamat sudah dipilih. Tekan Ctrl+C, atau tahan tulisannya lalu pilih Salin.',
} as const;

/** One address with a button that copies it. */
export function CopyAddress({ address }: { address: string }) {
  const text = useRef<HTMLElement>(null);
  const [result, setResult] = useState<keyof typeof resultTexts | null>(null);
  const Icon = result === 'copied' ? IconCheck : IconCopy;

  async function copy(): Promise<void> {
    if (text.current) setResult(await copyText(text.current));
  }

  return (
    <li className={classes['row']}>
      <span ref={text} className={classes['address']}>
        {address}
      </span>
      <Button
        variant="default"
        aria-label={`Salin ${address}`}
        leftSection={<Icon size={18} aria-hidden />}
        onClick={() => void copy()}
      >
        Salin
      </Button>
      <output className={classes['result']}>{result ? resultTexts[result] : ''}</output>
    </li>
  );
}
