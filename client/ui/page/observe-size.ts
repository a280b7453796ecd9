/**
 * Calls back in the frame after the size of one of the elements has changed, once a frame. What changes sizes at once, in the
 * answer to such a change, is reported as an error by the browser ('ResizeObserver loop …').
 * @returns its undo
 */
export function bindSizeChange(elements: readonly Element[], onChange: () => void): () => void {
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(onChange);
  });
  for (const element of elements) observer.observe(element);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}
