import { type DragEvent, type ReactNode, useState } from 'react';

type Props = { onFile: (file: File | undefined) => void; className?: string | undefined; children: ReactNode };

/** Accepts a dropped file. Its children must offer the same by keyboard. */
export function DropTarget({ onFile, className, children }: Props) {
  const [isDragOver, setIsDragOver] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsDragOver(false);
    onFile(event.dataTransfer.files[0]);
  }

  return (
    <div
      role="presentation"
      className={className}
      data-over={isDragOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
