import type { Command } from './command.ts';
import { serve } from './serve.ts';

/** Every command by its name; `serve` is what no name means. */
export const commands: Record<string, Command> = { serve };
