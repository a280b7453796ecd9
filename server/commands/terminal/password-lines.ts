import type { CreatedAdmin } from '#server/features/auth/first-admin.ts';
import { printLine } from './command.ts';

/** Prints a generated password: once and never to the log, because it cannot be read again later. */
export const printPasswordOnce = (password: string): void =>
  printLine(`Password (hanya ditampilkan sekali ini): ${password}`);

/** @param made null: there was an administrator already, so nothing is printed */
export function printFirstAdmin(made: CreatedAdmin | null): void {
  if (!made) return;
  printLine(`Administrator pertama dibuat: ${made.email}`);
  if (made.generatedPassword !== null) printPasswordOnce(made.generatedPassword);
}
