import {
  type ActionIcon,
  type Alert,
  type Badge,
  type Button,
  type Card,
  type CloseButton,
  createTheme,
  type CSSVariablesResolver,
  type Input,
  type InputWrapper,
  type Menu,
  type Modal,
  type NavLink,
  type Notification,
  type Paper,
  type Tabs,
} from '@mantine/core';
import { dark, gray, green, laut, red, yellow } from './colors.ts';

/** The theme imports only types of the components, because it is loaded on every page. */
type Extension<Component extends { extend: (input: never) => unknown }> = Parameters<Component['extend']>[0];

const inter = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** Every size of text on the screen (docs/requirements.md R-UI-19). `global.css` chooses the title's size by the screen. */
export const fontSizes = {
  xs: '0.8125rem',
  sm: '0.9375rem',
  md: '1rem',
  lg: '1.125rem',
  xl: '1.375rem',
  xxl: '1.75rem',
};

export const theme = createTheme({
  primaryColor: 'laut',
  primaryShade: { light: 7, dark: 6 },
  colors: { laut, red, green, yellow, gray, dark },
  black: '#1a2227',
  fontFamily: inter,
  fontSizes,
  headings: {
    fontFamily: inter,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--title-font-size)', lineHeight: '1.25' },
      h2: { fontSize: fontSizes.lg, lineHeight: '1.35' },
      h3: { fontSize: fontSizes.lg, lineHeight: '1.35' },
      h4: { fontSize: fontSizes.md },
      h5: { fontSize: fontSizes.sm },
      h6: { fontSize: fontSizes.sm },
    },
  },
  defaultRadius: 'md',
  radius: { sm: '0.375rem', md: '0.625rem', lg: '1rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // 44 px is large enough for a thumb. With text of 16 px, iPhones do not zoom into the field.
    Button: { defaultProps: { size: 'md' }, styles: { root: { '--button-height-md': '2.75rem' } } } satisfies Extension<
      typeof Button
    >,
    ActionIcon: { defaultProps: { size: 44, variant: 'subtle' } } satisfies Extension<typeof ActionIcon>,
    Input: {
      defaultProps: { size: 'md' },
      styles: { wrapper: { '--input-height-md': '2.75rem' } },
    } satisfies Extension<typeof Input>,
    InputWrapper: {
      defaultProps: { size: 'md' },
      styles: {
        label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600, marginBottom: '0.25rem' },
        description: { fontSize: 'var(--mantine-font-size-sm)' },
        error: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500 },
      },
    } satisfies Extension<typeof InputWrapper>,
    TextInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md', autosize: true, minRows: 3 } },
    NumberInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', allowDeselect: false, checkIconPosition: 'right' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    DateInput: { defaultProps: { size: 'md' } },
    DatePickerInput: { defaultProps: { size: 'md' } },
    Paper: { defaultProps: { radius: 'lg' } } satisfies Extension<typeof Paper>,
    Card: { defaultProps: { radius: 'lg', withBorder: true, padding: 'lg' } } satisfies Extension<typeof Card>,
    Alert: { defaultProps: { radius: 'md' } } satisfies Extension<typeof Alert>,
    Badge: { styles: { root: { textTransform: 'none' } } } satisfies Extension<typeof Badge>,
    Modal: {
      defaultProps: {
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.5 },
        closeButtonProps: { 'aria-label': 'Tutup' },
      },
      styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 700 } },
    } satisfies Extension<typeof Modal>,
    // The size of the other icons in a head or a field; Mantine's own grows with the button.
    CloseButton: { defaultProps: { iconSize: 18 } } satisfies Extension<typeof CloseButton>,
    // The focusable placeholder is no item of a menu, which axe calls critical. The first item has the focus instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } } satisfies Extension<typeof Menu>,
    NavLink: {
      styles: {
        label: { fontSize: 'var(--mantine-font-size-md)', fontWeight: 500 },
        root: { borderRadius: 'var(--mantine-radius-md)', minHeight: '2.75rem' },
      },
    } satisfies Extension<typeof NavLink>,
    Tabs: { styles: { tab: { minHeight: '2.75rem' } } } satisfies Extension<typeof Tabs>,
    Notification: { defaultProps: { radius: 'md' } } satisfies Extension<typeof Notification>,
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
