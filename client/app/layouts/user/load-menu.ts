export const loadMenuDrawer = async () => (await import('./menu-drawer.tsx')).MenuDrawer;
export const loadUserMenu = async () => (await import('./user-menu.tsx')).UserMenu;
