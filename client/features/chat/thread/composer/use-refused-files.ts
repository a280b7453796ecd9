import { type ClipboardEvent, type RefObject, useEffect, useState } from 'react';

/** What was dropped or pasted: the chat takes text only. */
export type RefusedFile = 'image' | 'file' | null;

const kindOf = (files: FileList): RefusedFile =>
  Array.from(files).some(({ type }) => type.startsWith('image/')) ? 'image' : 'file';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Refuses files that are pasted into the message field or dropped on the conversation around it. While a conversation is
 * open, a file that is dropped anywhere no longer makes the browser leave the page; a field for files still takes it.
 */
export function useRefusedFiles(form: RefObject<HTMLFormElement | null>) {
  const [refused, setRefused] = useState<RefusedFile>(null);

  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      if (event.defaultPrevented || !carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      const conversation = form.current?.parentElement;
      if (event.target instanceof Node && conversation?.contains(event.target))
        setRefused(kindOf(event.dataTransfer.files));
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [form]);

  return {
    refused,
    handlePaste: (event: ClipboardEvent): void => {
      const { files, types } = event.clipboardData;
      // A spreadsheet copies its cells as text and as a picture; the text is pasted.
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      setRefused(kindOf(files));
    },
    dismiss: () => setRefused(null),
  };
}
