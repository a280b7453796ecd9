// The service worker, served as /sw.js. Its listeners must be there when the script has run once.
import '../lib/browser/array-methods.ts';
import { bindNotifications } from './notifications.ts';
import { bindShell } from './shell/bind-shell.ts';

bindShell();
bindNotifications();
