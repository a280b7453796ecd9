/** Registers what reacts to pushes and to presses on notifications. */
export function bindNotifications(): void {
  // No push reaches this version.
}
