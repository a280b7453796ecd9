import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './setting-switch.module.css';

type Props = {
  label: string;
  description: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** One setting: label at the left, switch at the right; the whole line is clickable. */
export function SettingSwitch({ label, description, checked, disabled = false, onChange }: Props) {
  return (
    <Switch
      label={label}
      // Mantine puts the description into the label element too, and screen readers would read it twice.
      aria-label={label}
      description={description}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
      labelPosition="left"
      size="md"
      classNames={{
        root: classes['setting'] ?? '',
        body: classes['body'] ?? '',
        labelWrapper: classes['words'] ?? '',
        label: classes['label'] ?? '',
        description: classes['text'] ?? '',
        track: classes['track'] ?? '',
      }}
    />
  );
}
