import { Radio, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import classes from './reason-field.module.css';

type Props = {
  /** The most frequent reasons; an admin may change or add words. */
  readyReasons: readonly string[];
  reason: string;
  onChange: (reason: string) => void;
  description: string;
  maxLength: number;
  error: string | undefined;
  /** Enter sends, also on a ready reason. */
  onSubmit: (event: FormEvent) => void;
};

/** Asks an admin for the reason that a resident will read: a ready one, or words of their own. */
export function ReasonField({ readyReasons, reason, onChange, description, maxLength, error, onSubmit }: Props) {
  // A reason that was typed before the dialog opened keeps the focus, whatever is typed since.
  const [wasTyped] = useState(reason !== '');
  return (
    <>
      <Radio.Group label="Alasan" value={readyReasons.find((text) => text === reason) ?? ''} onChange={onChange}>
        <div className={classes['reasons']}>
          {readyReasons.map((text, index) => (
            <Radio
              key={text}
              value={text}
              label={text}
              size="md"
              data-autofocus={index === 0 && !wasTyped ? true : undefined}
              // Enter in a form presses its button; on a choice it would otherwise do nothing in some browsers.
              onKeyDown={(event) => {
                if (event.key === 'Enter' && reason !== '') onSubmit(event);
              }}
            />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="Alasan untuk warga"
        description={description}
        withAsterisk
        data-autofocus={wasTyped ? true : undefined}
        minRows={2}
        maxLength={maxLength}
        value={reason}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) onSubmit(event);
        }}
      />
    </>
  );
}
