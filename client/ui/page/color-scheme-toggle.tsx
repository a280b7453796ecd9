import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Light or dark. Until it is pressed, the device decides. */
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
