import {errorText} from '#std/error-text.ts';
import type {App} from './app.ts';

/** Copies `text` and shows a toast that names it as `what`. */
export function copyText(app: App, text: string, what: string): void {
  app.device.copy(text).then(
    (result) => app.toast(`${result}: ${what}`),
    (error: unknown) => app.toast(`Not copied: ${errorText(error)}`, 'error'),
  );
}
