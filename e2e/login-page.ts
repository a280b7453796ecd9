import type { Page } from '@playwright/test';
import type { TestUser } from './fixtures.ts';

type Credentials = Pick<TestUser, 'email' | 'password'>;

export const emailField = (page: Page) => page.getByRole('textbox', { name: 'Email', exact: true });
export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true });
export const loginButton = (page: Page) => page.getByRole('button', { name: 'Masuk (Login)' });

export async function fillCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
}

/** Signs in on the login page that is open. */
export async function logIn(page: Page, credentials: Credentials): Promise<void> {
  await fillCredentials(page, credentials);
  await loginButton(page).click();
}
