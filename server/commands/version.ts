import { APP_NAME } from '#shared/labels.ts';
import { APP_VERSION, RUNTIME } from '#server/process/version.ts';
import { parseOptions, printLine, type Command } from './terminal/command.ts';

export const version: Command = async (args) => {
  parseOptions(args, {});
  printLine(`${APP_NAME} v${APP_VERSION} (Node ${RUNTIME.node}, ${RUNTIME.platform})`);
  return 0;
};
