/** Lets the browser download from an address of ours or a blob's: in this tab, without leaving the page, also without https. */
export function startDownload(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  // Without it, the click would count as leaving the page and ask about unsaved changes.
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
