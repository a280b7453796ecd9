import { IconPaperclip } from '@tabler/icons-react';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './attach.module.css';

type Props = {
  /** An element of the conversation that takes the files. */
  inside: RefObject<HTMLElement | null>;
  /** The text over the conversation while files are dragged over it. */
  label: string;
  onFiles: (files: File[]) => void;
};

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** A file that is dropped beside a conversation must not make the browser leave the page. */
function refuseElsewhere(event: DragEvent): void {
  if (!event.defaultPrevented && carriesFiles(event)) event.preventDefault();
}

/**
 * Takes files that are dropped anywhere on the conversation around it, which has `data-drop-files`. A field for files elsewhere
 * on the page still takes its own.
 */
export function DropZone({ inside, label, onFiles }: Props) {
  /** The conversation while files are over it. */
  const [zone, setZone] = useState<HTMLElement | null>(null);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    window.addEventListener('dragover', refuseElsewhere);
    window.addEventListener('drop', refuseElsewhere);
    return () => {
      window.removeEventListener('dragover', refuseElsewhere);
      window.removeEventListener('drop', refuseElsewhere);
    };
  }, []);

  useEffect(() => {
    const found = inside.current?.closest<HTMLElement>('[data-drop-files]') ?? null;
    if (!found) return undefined;
    const onDragOver = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setZone(found);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && found.contains(event.relatedTarget))) setZone(null);
    };
    const onDrop = (event: DragEvent): void => {
      setZone(null);
      if (!event.dataTransfer || !carriesFiles(event)) return;
      event.preventDefault();
      const files = Array.from(event.dataTransfer.files);
      if (files.length > 0) take(files);
    };
    found.addEventListener('dragover', onDragOver);
    found.addEventListener('dragleave', onDragLeave);
    found.addEventListener('drop', onDrop);
    return () => {
      found.removeEventListener('dragover', onDragOver);
      found.removeEventListener('dragleave', onDragLeave);
      found.removeEventListener('drop', onDrop);
    };
  }, [inside]);

  return zone
    ? createPortal(
        <div className={classes['drop']} data-drop-target>
          <span className={classes['dropLabel']}>
            <IconPaperclip size={20} aria-hidden />
            {label}
          </span>
        </div>,
        zone,
      )
    : null;
}
