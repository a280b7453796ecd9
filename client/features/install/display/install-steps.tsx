import { Text } from '@mantine/core';
import classes from './install-steps.module.css';
import { CANNOT_INSTALL, installSteps } from './install-texts.ts';
import { findInstallWay } from './install-way.ts';

/** The steps by which this browser puts the app on the home screen. */
export function InstallSteps() {
  const steps = installSteps[findInstallWay(navigator)];
  if (steps.length === 0) return <Text>{CANNOT_INSTALL}</Text>;
  return (
    <ol className={classes['steps']} aria-label="Cara memasang">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
