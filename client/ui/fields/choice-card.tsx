import { Radio, Text } from '@mantine/core';
import classes from './choice-card.module.css';

/** One option of a radio group; the whole card is clickable. */
export function ChoiceCard({ value, title, text }: { value: string; title: string; text: string }) {
  return (
    <Radio.Card value={value} className={classes['card']}>
      <Radio.Indicator className={classes['mark']} />
      <span className={classes['texts']}>
        <Text component="span" display="block" fw={600}>
          {title}
        </Text>
        <Text component="span" display="block" c="dimmed" fz="sm">
          {text}
        </Text>
      </span>
    </Radio.Card>
  );
}
