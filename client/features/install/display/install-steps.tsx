import { List, Text } from '@mantine/core';
import { CANNOT_INSTALL, installSteps } from './install-texts.ts';
import { findInstallWay, type InstallWay } from './install-way.ts';

/** The steps by which this browser puts the app on the home screen. */
export function InstallSteps({ way = findInstallWay(navigator) }: { way?: InstallWay }) {
  const steps = installSteps[way];
  if (steps.length === 0) return <Text>{CANNOT_INSTALL}</Text>;
  return (
    <List type="ordered" spacing="xs" withPadding={false} aria-label="Cara memasang">
      {steps.map((step) => (
        <List.Item key={step}>{step}</List.Item>
      ))}
    </List>
  );
}
