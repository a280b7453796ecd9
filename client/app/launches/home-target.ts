import { currentSession } from '#client/lib/session/session.ts';
import { paths, startPath } from '#client/paths.ts';

/**
 * The target of `/`: the login, the first page of the role, or the page of a shortcut of the installed app
 * (client/public/manifest.webmanifest, R-PWA-4). The manifest cannot know the role.
 */
export function homeTarget(search: string): string {
  const session = currentSession();
  if (!session) return paths.login;
  const isAdmin = session.user?.is_admin ?? false;
  switch (new URLSearchParams(search).get('buka')) {
    case 'obrolan':
      return isAdmin ? paths.adminChat : paths.openChat;
    case 'data-pajak':
      return isAdmin ? paths.adminRecords : paths.records;
    default:
      return startPath(isAdmin);
  }
}
