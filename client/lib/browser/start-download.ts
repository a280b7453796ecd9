/** Downloads from an address of this server, or of a blob, without leaving the page. Works without https too. */
export function startDownload(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  // Without this attribute the click counts as leaving the page and asks about unsaved changes.
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
