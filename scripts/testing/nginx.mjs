// nginx as Debian packages it, for the test of docs/deployment/nginx.conf. Plain JavaScript: it runs before anything is
// installed.
import { existsSync } from 'node:fs';
import { findOnPath } from '../../e2e/browsers/installed-browsers.mjs';

/** The folder of programs for administrators is in the path of few others. */
const ADMIN_FILE = '/usr/sbin/nginx';

/** @returns {string | undefined} its file */
export const findNginx = () => findOnPath('nginx') ?? (existsSync(ADMIN_FILE) ? ADMIN_FILE : undefined);
