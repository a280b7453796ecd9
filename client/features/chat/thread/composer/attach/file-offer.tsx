import { Button, CloseButton } from '@mantine/core';
import classes from './attach.module.css';

type Props = {
  /** What was done with these files so far. */
  text: string;
  acceptLabel: string;
  onAccept: () => void;
  onDismiss: () => void;
};

/** Asks what to do with files that came where they cannot be attached. */
export function FileOffer({ text, acceptLabel, onAccept, onDismiss }: Props) {
  return (
    <div className={classes['offer']} role="alert">
      <span className={classes['offerText']}>{text}</span>
      <Button variant="default" size="compact-md" mih={44} onClick={onAccept}>
        {acceptLabel}
      </Button>
      <CloseButton size={44} iconSize={18} aria-label="Tidak, buang" title="Buang" onClick={onDismiss} />
    </div>
  );
}
