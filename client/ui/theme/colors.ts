import type { MantineColorsTuple } from '@mantine/core';

// White text on shades 6 and 7 has a contrast of at least 4.5 to 1. So has shade 9 as text on shade 1.
export const laut: MantineColorsTuple = [
  '#e9f6f7',
  '#d2ebee',
  '#a5d6dc',
  '#74bfc9',
  '#4aa9b6',
  '#2b93a2',
  '#137a8a',
  '#0b6776',
  '#085562',
  '#06424d',
];
export const red: MantineColorsTuple = [
  '#fdeceb',
  '#fad5d2',
  '#f4aaa4',
  '#ee7d75',
  '#e6584e',
  '#dd3c32',
  '#cc2e25',
  '#b3241c',
  '#961a14',
  '#7a130e',
];
export const green: MantineColorsTuple = [
  '#e5f6ec',
  '#cdeeda',
  '#98d9b3',
  '#64c58b',
  '#3daf6b',
  '#24985a',
  '#1a7f46',
  '#156b3a',
  '#10562e',
  '#0c4325',
];
export const yellow: MantineColorsTuple = [
  '#fdf3d8',
  '#fae6b0',
  '#f5d27a',
  '#eebd48',
  '#e2a823',
  '#c98f12',
  '#8f6000',
  '#7d5300',
  '#654300',
  '#4f3400',
];
export const gray: MantineColorsTuple = [
  '#f6f8f9',
  '#eef1f3',
  '#e3e8eb',
  '#d5dce0',
  '#bac4ca',
  '#82909a',
  '#65727b',
  '#52606a',
  '#37424a',
  '#1e262b',
];
export const dark: MantineColorsTuple = [
  '#e3e9ec',
  '#c3cdd3',
  '#a7b4bb',
  '#93a1a9',
  '#3d484e',
  '#2c353a',
  '#1e2529',
  '#161b1e',
  '#101416',
  '#0a0d0e',
];
