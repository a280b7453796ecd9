import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Switches between light and dark. Before the first click, the scheme of the device is used. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const Icon = isDark ? IconSun : IconMoon;
  const label = isDark ? 'Gunakan tampilan terang' : 'Gunakan tampilan gelap';
  return (
    <ActionIcon color="gray" aria-label={label} title={label} onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}
