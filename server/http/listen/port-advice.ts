/** Below this number an operating system may keep ports for itself. */
export const UNPRIVILEGED_PORT_MIN = 1024;

/**
 * Further advice when a port below 1024 cannot be opened, for the end of the error line (docs/requirements.md R-ACME-24).
 * An operator who chose a public name needs ports 80 and 443, so "another port" alone would be no advice.
 * @returns null for other ports and for errors that no advice fits
 */
export function adviseOnPort(code: string, port: number, platform: NodeJS.Platform = process.platform): string | null {
  if (port === 0 || port >= UNPRIVILEGED_PORT_MIN) return null;
  if (code === 'EADDRINUSE') return `program itu terlihat dengan: ${listenersCommand(port, platform)}`;
  return code === 'EACCES' ? adviseOnAccess(port, platform) : null;
}

function adviseOnAccess(port: number, platform: NodeJS.Platform): string | null {
  switch (platform) {
    case 'linux':
      return (
        `untuk porta ${port}: jalankan sebagai layanan, yang diberi hak itu tanpa menjadi root (sudo … service install; ` +
        `ulangi bila sudah terpasang), atau sekali untuk program ini: sudo setcap cap_net_bind_service=+ep "${process.execPath}"`
      );
    case 'darwin':
      return `untuk porta ${port}: HOST=0.0.0.0 (macOS membukanya bagi semua pengguna hanya tanpa alamat tertentu), atau sudo … service install`;
    case 'win32':
      return (
        `porta ${port} sedang dipegang Windows, biasanya oleh IIS: sebagai administrator, net stop http, ` +
        `atau lihat netsh http show servicestate dan netsh interface ipv4 show excludedportrange protocol=tcp`
      );
    default:
      return null;
  }
}

/** The command that shows which program has a port. */
function listenersCommand(port: number, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `netstat -ano | findstr :${port}`;
  if (platform === 'darwin') return `sudo lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  return `sudo ss -ltnp "sport = :${port}"`;
}
