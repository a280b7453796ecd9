import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Card,
  createTheme,
  type CSSVariablesResolver,
  Input,
  Modal,
  NavLink,
  Notification,
  Paper,
} from '@mantine/core';
import { dark, gray, green, laut, red, yellow } from './colors.ts';

const inter = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export const theme = createTheme({
  primaryColor: 'laut',
  primaryShade: { light: 7, dark: 6 },
  colors: { laut, red, green, yellow, gray, dark },
  black: '#1a2227',
  fontFamily: inter,
  headings: {
    fontFamily: inter,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.5rem, 1.3rem + 1vw, 1.875rem)', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { sm: '0.375rem', md: '0.625rem', lg: '1rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // 44 px is large enough for a thumb. With text of 16 px, iPhones do not zoom into the field.
    Button: Button.extend({ defaultProps: { size: 'md' }, styles: { root: { '--button-height-md': '2.75rem' } } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 44, variant: 'subtle' } }),
    Input: Input.extend({ defaultProps: { size: 'md' }, styles: { wrapper: { '--input-height-md': '2.75rem' } } }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { size: 'md' },
      styles: {
        label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600, marginBottom: '0.25rem' },
        description: { fontSize: 'var(--mantine-font-size-sm)' },
        error: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500 },
      },
    }),
    TextInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md', autosize: true, minRows: 3 } },
    NumberInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', allowDeselect: false, checkIconPosition: 'right' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    DateInput: { defaultProps: { size: 'md' } },
    DatePickerInput: { defaultProps: { size: 'md' } },
    Paper: Paper.extend({ defaultProps: { radius: 'lg' } }),
    Card: Card.extend({ defaultProps: { radius: 'lg', withBorder: true, padding: 'lg' } }),
    Alert: Alert.extend({ defaultProps: { radius: 'md' } }),
    Badge: Badge.extend({ styles: { root: { textTransform: 'none' } } }),
    Modal: Modal.extend({
      defaultProps: { radius: 'lg', padding: 'lg', overlayProps: { backgroundOpacity: 0.5 } },
      styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 700 } },
    }),
    NavLink: NavLink.extend({
      styles: {
        label: { fontSize: 'var(--mantine-font-size-md)', fontWeight: 500 },
        root: { borderRadius: 'var(--mantine-radius-md)', minHeight: '2.75rem' },
      },
    }),
    Notification: Notification.extend({ defaultProps: { radius: 'md' } }),
  },
});

/**
 * A tinted background with its text, with a contrast above 4.5 to 1.
 * Mantine's own are too bright on white and nearly black on a dark card.
 */
function tints(color: string, back: string, hover: string, text: string) {
  return {
    [`--mantine-color-${color}-light`]: back,
    [`--mantine-color-${color}-light-hover`]: hover,
    [`--mantine-color-${color}-light-color`]: text,
  };
}

/** Mantine's own greys are too pale for small text (WCAG 1.4.3) and for the border of a field (1.4.11). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page': 'var(--mantine-color-gray-0)',
    '--line': 'var(--mantine-color-gray-3)',
    '--line-strong': 'var(--mantine-color-gray-5)',
    '--focus': 'var(--mantine-color-laut-7)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--mantine-color-anchor': 'var(--mantine-color-laut-7)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-4)',
    ...tints('laut', '#e0f1f4', '#cfe8ec', '#06424d'),
    ...tints('green', '#e0f4e8', '#cdeeda', '#14603a'),
    ...tints('red', '#fde8e6', '#fad5d2', '#a31f1f'),
    ...tints('yellow', '#fdf0cf', '#fae6b0', '#7a4d00'),
    ...tints('gray', '#e8ecef', '#dbe1e5', '#37424a'),
  },
  dark: {
    '--page': 'var(--mantine-color-dark-7)',
    '--line': 'var(--mantine-color-dark-4)',
    '--line-strong': '#6d7a82',
    '--focus': 'var(--mantine-color-laut-3)',
    '--mantine-color-body': 'var(--mantine-color-dark-6)',
    '--mantine-color-default': 'var(--mantine-color-dark-5)',
    '--mantine-color-default-hover': 'var(--mantine-color-dark-4)',
    '--mantine-color-default-border': '#4d5a61',
    '--mantine-color-error': '#ff9a94',
    '--mantine-color-anchor': 'var(--mantine-color-laut-3)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-3)',
    ...tints('laut', '#133c45', '#184a55', '#a5d6dc'),
    ...tints('green', '#16382a', '#1c4634', '#8ddfae'),
    ...tints('red', '#47201f', '#562726', '#ffb0aa'),
    ...tints('yellow', '#42330c', '#514010', '#f5d27a'),
    ...tints('gray', '#2f393f', '#38444b', '#c3cdd3'),
  },
});
